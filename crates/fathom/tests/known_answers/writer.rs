//! Writes random C programs that have no undefined behaviour: loops, arrays, pointers, structures, recursion, bit operations, arithmetic
//! that wraps, and a few inputs of a few values.

use std::fmt::Write;
use term::random::Random;

/// The sizes of the arrays, powers of two, so that a mask keeps places inside.
const WORDS: usize = 4;
const BYTES: usize = 8;
const PAIRS: usize = 2;
/// How deep expressions are.
const DEPTH: u32 = 3;
/// How deep statements are.
const NESTING: u32 = 2;

/// A program that computes a number from its inputs.
pub struct Written {
    /// All but `main`: `unsigned compute(void)` computes the number from `in0`, `in1`, ... after `reset()`.
    pub text: String,
    /// For each input, how many values it has, from 0.
    pub inputs: Vec<u32>,
}

pub fn write(seed: u64) -> Written {
    let mut random = Random::new(seed);
    let inputs = (0..random.below(3)).map(|_| 2 + random.below(4) as u32).collect::<Vec<_>>();
    let mut writer = Writer { random, text: String::new(), inputs: inputs.len(), loops: 0, locals: 0, functions: 0 };
    writer.program();
    Written { text: writer.text, inputs }
}

struct Writer {
    random: Random,
    text: String,
    inputs: usize,
    /// Loops that are open, whose counters can be read.
    loops: usize,
    locals: usize,
    /// Functions that can be called.
    functions: usize,
}

impl Writer {
    fn program(&mut self) {
        let words: Vec<String> = (0..WORDS).map(|_| self.literal()).collect();
        let (first, second) = (self.literal(), self.literal());
        let inputs: String = (0..self.inputs).map(|n| format!("static unsigned in{n};\n")).collect();
        let _ = write!(
            self.text,
            "struct pair {{ unsigned a; short b; unsigned char c; }};\n{inputs}\
             static unsigned g0, g1;\nstatic int h0;\nstatic unsigned words[{WORDS}];\n\
             static unsigned char bytes[{BYTES}];\nstatic struct pair pairs[{PAIRS}];\n\
             static void reset(void) {{\n  unsigned k;\n  g0 = {first};\n  g1 = {second};\n  h0 = -3;\n\
             \x20 for (k = 0; k < {BYTES}; k++) bytes[k] = (unsigned char)(k * 37);\n\
             \x20 for (k = 0; k < {PAIRS}; k++) {{ pairs[k].a = k; pairs[k].b = (short)(7 - k); pairs[k].c = 250; }}\n"
        );
        for (place, word) in words.iter().enumerate() {
            let _ = writeln!(self.text, "  words[{place}] = {word};");
        }
        self.text += "}\n";
        for number in 0..self.random.below(3) {
            self.locals = 0;
            let _ = writeln!(self.text, "static unsigned f{number}(unsigned x, unsigned depth) {{");
            let (end, next) = (self.expression(1), self.expression(1));
            let _ = writeln!(self.text, "  if (depth == 0) return {end};");
            self.statements(2, 1);
            let result = self.expression(1);
            let _ = writeln!(self.text, "  x = f{number}({next}, depth - 1);\n  return {result} ^ x;\n}}");
            self.functions = number + 1;
        }
        self.text += "static unsigned compute(void) {\n  unsigned x = 1, *p = &g0;\n";
        let count = 4 + self.random.below(6);
        self.statements(count, NESTING);
        let result = self.expression(DEPTH);
        let _ = writeln!(self.text, "  return {result} + *p;\n}}");
    }

    fn statements(&mut self, count: usize, nesting: u32) {
        for _ in 0..count {
            self.statement(nesting);
        }
    }

    fn statement(&mut self, nesting: u32) {
        match self.random.below(if nesting == 0 { 5 } else { 9 }) {
            0 | 1 => {
                let (place, value) = (self.place(), self.expression(DEPTH));
                let op = *self.random.pick(&["=", "+=", "-=", "^=", "*="]);
                let _ = writeln!(self.text, "  {place} {op} {value};");
            }
            2 => {
                let (place, value) = (self.narrow_place(), self.expression(DEPTH));
                let _ = writeln!(self.text, "  {} = ({}){value};", place.0, place.1);
            }
            // Calls stand alone: in what order an expression calls and reads is not defined.
            3 if self.functions > 0 => {
                let (function, depth, value) =
                    (self.random.below(self.functions), self.random.below(4), self.expression(1));
                let _ = writeln!(self.text, "  x = f{function}({value}, {depth});");
            }
            3 => {
                let value = self.expression(DEPTH);
                let _ = writeln!(self.text, "  h0 = (int)((unsigned)h0 + ({value}));");
            }
            4 => {
                let place = self.place();
                match self.is_in_function() {
                    true => _ = writeln!(self.text, "  {place} += x;"),
                    false => _ = writeln!(self.text, "  p = &{place};\n  *p += 3;"),
                }
            }
            5 => {
                let condition = self.expression(2);
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statements(2, nesting - 1);
                self.text += "  } else {\n";
                self.statements(1, nesting - 1);
                self.text += "  }\n";
            }
            6 | 7 => {
                let (counter, bound) = (self.loops, 1 + self.random.below(5));
                let _ = writeln!(self.text, "  for (unsigned i{counter} = 0; i{counter} < {bound}; i{counter}++) {{");
                self.loops += 1;
                self.statements(2, nesting - 1);
                if self.random.once_in(3) {
                    let condition = self.expression(1);
                    let word = *self.random.pick(&["break", "continue"]);
                    let _ = writeln!(self.text, "  if ({condition}) {word};");
                }
                self.loops -= 1;
                self.text += "  }\n";
            }
            _ => {
                let (counter, bound) = (self.locals, self.expression(1));
                self.locals += 1;
                let _ = writeln!(self.text, "  unsigned w{counter} = ({bound}) & 7;\n  while (w{counter} > 0) {{");
                self.statements(1, nesting - 1);
                let _ = writeln!(self.text, "  w{counter}--;\n  }}");
            }
        }
    }

    /// Whether what is being written is one of the functions that are called: they have no `p`.
    fn is_in_function(&self) -> bool {
        !self.text.contains("unsigned compute(void)")
    }

    /// Something of type `unsigned` that can be written to, and pointed to.
    fn place(&mut self) -> String {
        match self.random.below(5) {
            0 => "g0".to_string(),
            1 => "g1".to_string(),
            2 => format!("pairs[({}) & {}].a", self.expression(1), PAIRS - 1),
            3 => format!("words[{}]", self.random.below(WORDS)),
            _ => format!("words[({}) & {}]", self.expression(1), WORDS - 1),
        }
    }

    /// Something narrower, and its type.
    fn narrow_place(&mut self) -> (String, &'static str) {
        match self.random.below(3) {
            0 => (format!("pairs[({}) & {}].b", self.expression(1), PAIRS - 1), "short"),
            1 => (format!("pairs[({}) & {}].c", self.expression(1), PAIRS - 1), "unsigned char"),
            _ => (format!("bytes[({}) & {}]", self.expression(1), BYTES - 1), "unsigned char"),
        }
    }

    fn literal(&mut self) -> String {
        let numbers = [
            "0u",
            "1u",
            "2u",
            "3u",
            "7u",
            "16u",
            "255u",
            "256u",
            "65535u",
            "2147483647u",
            "2147483648u",
            "4294967295u",
        ];
        self.random.pick(&numbers).to_string()
    }

    /// An expression of type `unsigned`, or `int` where it is a truth value.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.once_in(5) {
            return self.leaf();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(18) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} & {b})"),
            4 => format!("({a} | {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("(~(unsigned){a})"),
            7 => format!("((unsigned){a} << ({b} & 31))"),
            8 => format!("((unsigned){a} >> ({b} & 31))"),
            9 => format!("((unsigned){a} / ({b} | 1u))"),
            10 => format!("((unsigned){a} % ({b} | 1u))"),
            11 => format!("({a} < {b})"),
            12 => format!("((int){a} <= (int){b})"),
            13 => format!("({a} == {b})"),
            14 => format!("({a} && {b})"),
            15 => format!("({a} ? (unsigned){b} : 5u)"),
            16 => format!("((unsigned)((int){a} >> ({b} & 7)))"),
            _ => format!("((unsigned)((int){a} / (int)(({b} & 7u) + 1u)))"),
        }
    }

    fn leaf(&mut self) -> String {
        match self.random.below(11) {
            0 | 1 => self.literal(),
            2 | 3 if self.inputs > 0 => format!("in{}", self.random.below(self.inputs)),
            4 if self.loops > 0 => format!("i{}", self.random.below(self.loops)),
            5 => "g0".to_string(),
            6 => "(unsigned)h0".to_string(),
            7 => format!("words[{}]", self.random.below(WORDS)),
            8 => format!("(unsigned)bytes[{}]", self.random.below(BYTES)),
            9 => format!("(unsigned)pairs[{}].b", self.random.below(PAIRS)),
            _ => "x".to_string(),
        }
    }
}
