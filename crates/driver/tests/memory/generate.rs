//! Random small C programs about memory: pointers to variables, fields, elements and pointers, structs by value, unions,
//! bytes of numbers and of pointers, the heap, objects of a loop's round, copies and fills, addresses as numbers.
//!
//! A program computes a number from what its memory holds in the end and returns it; where that is a given number, it comes to
//! the error instead. So one execution tells how to make the error reachable.
//!
//! Every program defines all it reads, unless [`Config::uninitialised`] is set; whether its accesses stay inside their objects
//! is left to chance. What is chosen by the environment is a number below 4.

use std::fmt::Write;
use term::random::Random;

/// What the programs may do.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Copies and fills parts of variables.
    pub parts: bool,
    /// Reinterprets bytes: casts between pointer types, unions.
    pub puns: bool,
    /// Turns pointers into numbers and back.
    pub addresses: bool,
    /// Leaves some memory without a first value.
    pub uninitialised: bool,
    /// Has pointers from outside.
    pub foreign: bool,
    /// Has a table of many objects, so that they are not told apart.
    pub many: bool,
    /// Has arrays between the fields of structs, and indices that may leave them.
    pub fields: bool,
}

const HEAD: &str = "\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);
extern void abort(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
struct S { int a; char c; short h; int *p; struct S *n; int b; };
union U { int i; unsigned char b[4]; short h[2]; int *p; unsigned long l; };
struct R { unsigned char data[3]; int n; short w[2]; char c; };
struct Q { int k; struct R t[2]; char g[2][2]; int z; };
int g0, g1;
struct R gr;
struct Q gq;
int ga[4];
struct S gs, gt;
union U gu;
int *gp = &g0;
int **gpp = &gp;
extern int *ep;
extern struct S *es;
static int nd(void) { unsigned char v = __VERIFIER_nondet_uchar(); if (v > 3) abort(); return v; }
";

/// The text of a program. It comes to the error where the number that it would return is `wanted`.
pub fn program(seed: u64, config: Config, wanted: Option<i128>) -> String {
    let mut writer = Writer { random: Random::new(seed), config, text: HEAD.to_owned(), depth: 0, loops: 0, rounds: 0 };
    writer.functions();
    writer.main(wanted);
    writer.text
}

struct Writer {
    random: Random,
    config: Config,
    text: String,
    depth: usize,
    /// How many loop variables there are around.
    loops: usize,
    /// How many loops there are at all.
    rounds: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.depth + 2);
    }

    fn pick(&mut self, from: &[&str]) -> String {
        (*self.random.pick(from)).to_owned()
    }

    fn functions(&mut self) {
        let body = self.pick(&["*p = v; return p;", "if (v > 1) *p = *p + v; return s->p;", "s->p = p; return &s->a;"]);
        let _ = writeln!(self.text, "static int *f(int *p, struct S *s, int v) {{ {body} }}");
        let body = self.pick(&["struct S t = s; t.a = v; return t;", "s.n = &gs; if (v) *s.p = v; return s;"]);
        let _ = writeln!(self.text, "static struct S h(struct S s, int v) {{ {body} }}");
        let body = self.pick(&["*q = *q + 1;", "int *t = gp; gp = q; gp = t;", "gpp = &gp; *gpp = q;"]);
        let _ = writeln!(self.text, "static void k(int *q) {{ {body} }}");
    }

    fn main(&mut self, wanted: Option<i128>) {
        self.text.push_str("int main(void) {\n");
        self.line("int x = 1, y = 2; int a[3] = {0, 1, 2}; struct S s, t; union U u; unsigned long l = 0;");
        if self.config.uninitialised && self.random.once_in(2) {
            self.line("int z; int *w; x = z; gp = w;");
        } else {
            self.line("s.a = 0; s.b = 0; s.c = 1; s.h = 2; s.p = &x; s.n = &gs; u.l = 0;");
        }
        self.line("t = s; gs = s; gt = s; gs.n = &gt; gt.p = &ga[1];");
        self.line("int *p = &x, *q = &y, **pp = &p; struct S *sp = &s;");
        let first =
            if self.config.uninitialised { "" } else { " hp->a = 3; hp->p = &g1; hp->n = &s; *hi = 1; hi[1] = 2;" };
        self.line(&format!("struct S *hp = malloc(sizeof(struct S)); int *hi = malloc(8);{first}"));
        if self.random.once_in(3) {
            self.line("for (int i = 0; i < 2; i++) { struct S *m = calloc(1, sizeof(struct S)); m->a = i; m->n = hp; hp = m; }");
        }
        if self.config.foreign {
            self.line("int *np = __VERIFIER_nondet_pointer(); if (nd()) ep = np;");
        }
        if self.config.many {
            self.line("struct S m0 = s, m1 = t, m2 = s, m3 = t;");
            self.line("struct S *all[8] = {&s, &t, &gs, &gt, &m0, &m1, &m2, &m3}; all[2 * nd() + 1]->a = 1;");
        }
        if self.config.fields {
            self.line("struct R r = {{1, 2, 3}, 4, {5, 6}, 7}; struct R *rp = &gr; struct Q *qp = &gq;");
            self.line("struct R *hr = malloc(sizeof(struct R)); *hr = r; unsigned char *bp = gr.data;");
        }
        let count = 4 + self.random.below(6);
        for _ in 0..count {
            self.statement();
        }
        let (one, other, p, q) = (self.number(), self.place(), self.pointer(), self.pointer());
        let last = match self.random.below(3) {
            kind if self.config.fields => {
                let seen =
                    ["r.n + r.w[0] + 7 * r.data[2]", "gr.n + gr.c + gr.data[nd()]", "gq.t[1].n + gq.z + qp->k"][kind];
                format!("{seen} + rp->n + 3 * rp->w[1] + x")
            }
            _ if self.config.many => "m0.a + 10 * m1.b + 100 * m2.a + 1000 * gs.b".to_owned(),
            0 => format!("{one} + 2 * ({p} == {q})"),
            1 => format!("{one} + {other}"),
            _ => format!("{other} - *{p}"),
        };
        self.line(&format!("int last = {last};"));
        if let Some(wanted) = wanted {
            self.line(&format!("if (last == {wanted}) reach_error();"));
        }
        self.text.push_str("  return last;\n}\n");
    }

    fn statement(&mut self) {
        let nests = self.depth < 2;
        match self.random.below(16) {
            0 | 1 if nests => {
                self.line("if (nd()) {");
                self.block();
                if self.random.once_in(2) {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            2 if nests && self.rounds < 2 => {
                let name = format!("i{}", self.loops);
                let (rounds, value) = (1 + self.random.below(2), self.random.below(4));
                self.line(&format!("for (int {name} = 0; {name} < {rounds}; {name}++) {{"));
                self.line(&format!("  struct S r = s; int v = {name} + {value}; r.a = v;"));
                let local =
                    self.pick(&["*p = r.a;", "q = &v; *q = r.a + 1; x = v; q = &y;", "sp = &r; y = sp->a; sp = &s;"]);
                self.line(&format!("  {local}"));
                self.loops += 1;
                self.rounds += 1;
                self.block();
                self.loops -= 1;
                self.line("}");
            }
            3 if self.random.once_in(4) => self.check(),
            4..9 if self.config.fields => self.field(),
            4 | 5 if self.config.puns => self.pun(),
            6 if self.config.addresses => self.address(),
            7 => self.copy(),
            15 if self.config.parts => self.copy(),
            8 => {
                let (p, s, value) = (self.pointer(), self.structure(), self.number());
                let call = self.pick(&["p = f(P, S, V);", "k(P);", "s = h(*S, V);", "*f(P, S, V) = 2;"]);
                self.line(&call.replace('P', &p).replace('S', &s).replace('V', &value));
            }
            9 | 10 => {
                let (to, from) = (self.pick(&["p", "q", "*pp", "gp", "*gpp", "s.p", "sp->p", "hp->p"]), self.pointer());
                self.line(&format!("{to} = {from};"));
            }
            11 => {
                let (to, from) = (self.pick(&["sp", "s.n", "sp->n", "hp->n", "hp"]), self.structure());
                self.line(&format!("{to} = {from};"));
            }
            12 => {
                let (to, from) =
                    (self.pick(&["s", "t", "gs", "*sp", "*hp"]), self.pick(&["s", "t", "gs", "gt", "*sp"]));
                self.line(&format!("{to} = {from};"));
            }
            13 => {
                let to = self.pick(&["pp", "gpp"]);
                let from = self.pick(&["&p", "&q", "&gp", "&s.p", "&sp->p", "pp", "gpp"]);
                self.line(&format!("{to} = {from};"));
            }
            4..7 | 14 if self.config.many => {
                let line = self.pick(&[
                    "p = nd() ? &m0.a : &m1.b; *p = V;",
                    "q = nd() ? &gs.b : &all[nd()]->a; *q = V;",
                    "all[2 * nd()]->b = V;",
                    "x = all[nd()]->b;",
                    "sp = all[2 * nd() + 1]; sp->a = V;",
                    "m2 = *all[nd()]; y = m2.b;",
                    "y = *(nd() ? &m0.b : &m2.a);",
                ]);
                let value = self.number();
                self.line(&line.replace('V', &value));
            }
            14 if self.config.foreign => {
                let line = self.pick(&[
                    "if (ep) { *ep = 3; x = *ep; }",
                    "if (es) { y = es->a; es->a = 2; }",
                    "if (es) { ep = es->p; }",
                    "if (es && es->n) { es->n->a = y; x = es->a; }",
                    "p = np ? np : &g0;",
                    "es = __VERIFIER_nondet_pointer(); if (!es) es = &gs;",
                    "if (es) { s = *es; p = s.p; if (!p) p = &x; }",
                ]);
                self.line(&line);
            }
            _ => {
                let (place, value) = (self.place(), self.number());
                self.line(&format!("{place} = {value};"));
            }
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement();
        }
        self.depth -= 1;
    }

    /// The error, under a condition that may or may not be met.
    fn check(&mut self) {
        let (one, other) = (self.number(), self.number());
        let (p, q) = (self.pointer(), self.pointer());
        let value = self.random.below(6);
        let condition = match self.random.below(6) {
            0 => format!("{p} == {q}"),
            1 => format!("{one} > {other}"),
            2 => format!("*{p} == {value} && {one} != {value}"),
            3 => format!("{one} == {value} && {other} == {}", value + 1),
            _ => format!("{one} == {value}"),
        };
        self.line(&format!("if ({condition}) reach_error();"));
    }

    fn copy(&mut self) {
        let size = self.pick(&["4", "8", "12", "sizeof(int)", "sizeof(struct S)"]);
        let part = self.pick(&["1", "2", "3", "5", "6", "sizeof(s)"]);
        let mut lines = vec![
            "memcpy(&s, &gs, sizeof s);".to_owned(),
            "memcpy(sp, &t, sizeof t);".to_owned(),
            "memcpy(hp, &s, sizeof s);".to_owned(),
            "memcpy(a, ga, 8);".to_owned(),
            "memmove(a + 1, a, 8);".to_owned(),
            format!("memcpy(&ga[1], hi, {size});"),
            "memset(a, 0, sizeof a);".to_owned(),
            "memset(hi, 0, 8);".to_owned(),
            "memset(ga, nd(), 16);".to_owned(),
        ];
        if self.config.parts {
            // Parts are what matters then.
            lines.clear();
            lines.push(format!("memset(&s.a, 1, {part});"));
            lines.push(format!("memset((char *)a + 2, 1, {part});"));
            lines.push(format!("memset((char *)ga + nd(), 0, {part});"));
            lines.push(format!("memcpy((char *)&x + 1, (char *)&y, {});", 1 + self.random.below(3)));
            lines.push(format!("memcpy((char *)&a + 2, (char *)&ga + {}, {part});", self.random.below(4)));
        }
        if self.config.puns {
            lines.push("memcpy(&q, &p, sizeof p);".to_owned());
            lines.push("memcpy(&l, &p, sizeof p);".to_owned());
            lines.push("memcpy(&s.p, &sp->p, 4);".to_owned());
        }
        let line = self.random.pick(&lines).clone();
        self.line(&line);
    }

    /// A statement about arrays in structs.
    fn field(&mut self) {
        let (value, index, other) = (self.number(), self.inner(), self.inner());
        let record =
            self.pick(&["r", "gr", "(*rp)", "(*hr)", "gq.t[nd()]", "gq.t[1]", "qp->t[I]"]).replace('I', &other);
        let source = self.pick(&["&r", "&gr", "rp", "hr", "&gq.t[nd()]", "&qp->t[0]"]);
        let lines = [
            "R.data[I] = V;",
            "R.data[I] = V;",
            "R.w[I] = V;",
            "x = R.data[I];",
            "y = R.w[I];",
            "R.n = V;",
            "R.c = V;",
            "x = R.n + R.c;",
            "rp = S;",
            "if (nd()) rp = S;",
            "R = *S;",
            "qp->g[nd()][I] = V;",
            "qp->z = V; x = gq.k + gq.g[1][I];",
            "memset(&R, 0, sizeof R);",
            "memset(R.data, V, I);",
            "memcpy(&R, S, sizeof(struct R));",
            "memcpy(R.data, (S)->w, I);",
            "memcpy(&R.w[1], &x, 2 + I % 3);",
            "((unsigned char *)S)[I + J] = V;",
            "x = ((unsigned char *)S)[J];",
            "for (int j = 0; j < (int)sizeof(struct R); j++) ((unsigned char *)&R)[j] = ((unsigned char *)S)[j];",
            "bp = (S)->data; bp++; *bp = V;",
            "bp = R.data + I; *bp = V; x = bp[1];",
            "*(short *)((char *)&R + 2 * I) = V;",
            "y = *(int *)((char *)S + 4 * nd());",
        ];
        let line = self.random.pick(&lines).replace('R', &record).replace('S', &source);
        let line = line.replace(&format!("struct {record}"), "struct R");
        self.line(&line.replace('V', &value).replace('I', &index).replace('J', &other));
    }

    /// An index into an array of a struct, which may leave it.
    fn inner(&mut self) -> String {
        match self.random.below(5) {
            0 => "nd()".to_owned(),
            1 => "(nd() + nd())".to_owned(),
            2 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
            3 => "(nd() & 1)".to_owned(),
            _ => self.random.below(3).to_string(),
        }
    }

    fn pun(&mut self) {
        let (p, value, index) = (self.pointer(), self.number(), self.random.below(4));
        let line = match self.random.below(11) {
            0 => format!("((char *){p})[{index}] = {value};"),
            1 => format!("*(short *)({p}) = {value};"),
            2 => format!("x = ((unsigned char *){p})[{index}];"),
            3 => format!("u.i = {value}; y = u.b[{index}];"),
            4 => format!("u.b[{index}] = {value}; x = u.i;"),
            5 => "for (int j = 0; j < (int)sizeof(p); j++) ((char *)&q)[j] = ((char *)&p)[j];".to_owned(),
            6 => "u.p = p; l = u.l;".to_owned(),
            7 => "y = *(int *)&s.h;".to_owned(),
            8 => format!("*(int *)((char *)&s.c + {index}) = {value};"),
            9 => "gu.h[1] = x; gu.b[0] = y; x = gu.i;".to_owned(),
            _ => "q = *(int **)&sp->p; *(long *)&l = *(long *)(void *)&q;".to_owned(),
        };
        self.line(&line);
    }

    fn address(&mut self) {
        let p = self.pointer();
        let line = match self.random.below(5) {
            0 => format!("l = (unsigned long)({p});"),
            1 => "if (l) { q = (int *)l; }".to_owned(),
            2 => format!("l = (unsigned long)({p}); l = l + 4 * nd(); if (l) p = (int *)l;"),
            3 => format!("l = (unsigned long)({p}) ^ 1; l = l ^ 1; *(int *)l = 3;"),
            _ => format!("if ((unsigned long)({p}) % 4 != 0) reach_error();"),
        };
        self.line(&line);
    }

    /// An expression of type `int *`.
    fn pointer(&mut self) -> String {
        let index = self.index(3);
        let plain = [
            "p",
            "q",
            "&x",
            "&y",
            "&g0",
            "gp",
            "*gpp",
            "*pp",
            "&s.a",
            "&t.b",
            "sp->p",
            "&sp->a",
            "&gs.a",
            "hi",
            "&hp->a",
            "s.p",
            "gt.p",
            "&sp->n->a",
        ];
        match self.random.below(8) {
            0 => format!("&a[{index}]"),
            1 => format!("&ga[{index}]"),
            2 => format!("(hi + {})", self.random.below(2)),
            3 => format!("(nd() ? {} : {})", self.pick(&plain), self.pick(&plain)),
            _ => self.pick(&plain),
        }
    }

    /// An expression of type `struct S *`.
    fn structure(&mut self) -> String {
        self.pick(&["sp", "&s", "&t", "&gs", "hp", "sp->n", "s.n", "(nd() ? &s : &gt)", "hp->n"])
    }

    /// A place of an integer type.
    fn place(&mut self) -> String {
        let index = self.index(3);
        let plain = [
            "x", "y", "g0", "g1", "s.a", "t.b", "s.c", "s.h", "sp->a", "sp->h", "gs.a", "hp->a", "hp->c", "t.h", "*p",
            "*q", "**pp",
        ];
        match self.random.below(6) {
            0 => format!("a[{index}]"),
            1 => format!("ga[{index}]"),
            2 => format!("hi[{}]", self.random.below(2)),
            3 => format!("*{}", self.pointer()),
            _ => self.pick(&plain),
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(8) {
            0 => "nd()".to_owned(),
            1 | 2 => self.random.below(6).to_string(),
            3 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
            4 => format!("({} + {})", self.place(), self.random.below(3)),
            _ => self.place(),
        }
    }

    /// An index, mostly below the limit.
    fn index(&mut self, limit: usize) -> String {
        match self.random.below(6) {
            0 => "nd()".to_owned(),
            1 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
            2 => limit.to_string(),
            _ => self.random.below(limit).to_string(),
        }
    }
}
