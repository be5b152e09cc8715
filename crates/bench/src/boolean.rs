//! Families of Boolean programs that grow with a number, after the kinds of programs that papers measure.

use std::fmt::Write;

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{prefix}{n}")).collect()
}

/// `n` variables that take arbitrary values again and again: almost all of the 2ⁿ states can be reached.
pub fn free(n: usize) -> String {
    let mut text = format!("decl {}, h;\n\nvoid main() begin\n  L:\n", names("g", n).join(", "));
    for name in names("g", n) {
        let _ = writeln!(text, "  {name} := *;");
    }
    text.push_str("  h := g0 & g1;\n  assert(!h | g0);\n  goto L;\nend\n");
    text
}

/// The product of two arbitrary numbers of `n` bits, by addition of shifted copies, bit by bit. It is zero only if a factor is.
pub fn multiplier(n: usize) -> String {
    let (a, b, p) = (names("a", n), names("b", n), names("p", 2 * n));
    let mut text =
        format!("decl {};\ndecl {};\ndecl {}, c;\n\nvoid main() begin\n", a.join(", "), b.join(", "), p.join(", "));
    let list = |count: usize, value: &str| vec![value; count].join(", ");
    let _ = writeln!(text, "  {}, {} := {};", a.join(", "), b.join(", "), list(2 * n, "*"));
    let _ = writeln!(text, "  {} := {};", p.join(", "), list(2 * n, "F"));
    for (i, bit) in b.iter().enumerate() {
        text.push_str("  c := F;\n");
        for (j, other) in a.iter().enumerate() {
            let (sum, x) = (&p[i + j], format!("({bit} & {other})"));
            let _ = writeln!(text, "  {sum}, c := ({sum} ^ {x}) ^ c, ({sum} & {x}) | (c & ({sum} ^ {x}));");
        }
        let _ = writeln!(text, "  {} := c;", p[i + n]);
    }
    let _ = writeln!(text, "  assert({} | !({}) | !({}));\nend", p.join(" | "), a.join(" | "), b.join(" | "));
    text
}

/// A sequential driver with `n` routines that its environment calls in any order, each with its own predicates about what it
/// got, and a lock that must be taken and released in turns. With the bug, the last routine returns with the lock held.
pub fn driver(n: usize, bug: bool) -> String {
    let status = names("s", n);
    let mut text = format!("decl locked, pending, done;\ndecl {};\n", status.join(", "));
    text.push_str(
        "\nvoid acquire() begin\n  assert(!locked);\n  locked := T;\nend\n\nvoid release() begin\n  assert(locked);\n  \
         locked := F;\nend\n",
    );
    for (i, own) in status.iter().enumerate() {
        let (other, last) = (&status[(i + 1) % n], bug && i + 1 == n);
        let _ = writeln!(
            text,
            "\nvoid routine{i}() begin\n  decl ok, retry, e;\n  acquire();\n  ok, retry := *, * constrain !('ok & 'retry);\n  \
             {own}, {other} := schoose[ok, retry], schoose[{own}, F];\n  e := schoose[F, {own}];\n  if ok then\n    \
             pending := F;\n    release();\n  elsif retry & !e then\n    pending := T;\n    release();\n    acquire();\n    \
             done := pending;\n    release();\n  else\n    done := {};\n    {}\n  fi;\nend",
            if i % 2 == 0 { "T" } else { own },
            if last { "skip;" } else { "release();" },
        );
    }
    text.push_str("\nvoid main() begin\n  locked, pending, done := F, F, F;\n  L: goto ");
    let labels = names("R", n);
    let _ = writeln!(text, "{};", labels.join(", "));
    for (i, label) in labels.iter().enumerate() {
        let _ = writeln!(text, "  {label}: routine{i}();\n  goto L;");
    }
    text.push_str("end\n");
    text
}

/// A driver of three threads: requests, an interrupt that completes them, and one that stops the device. Each has `n` predicates
/// of its own that change arbitrarily. No request may be touched once the device is stopped.
pub fn threaded_driver(n: usize) -> String {
    let data = names("d", n);
    let lock = "  atomic_begin; assume(!lock); lock := T; atomic_end;\n";
    let unlock = "  lock := F;\n";
    let mut text = String::from("decl lock, stopped, pending, busy;\n");
    let mut thread = |name: &str, body: &str| {
        let _ = writeln!(text, "\nvoid {name}() begin\n  decl {};\n  L:", data.join(", "));
        for (i, d) in data.iter().enumerate() {
            let other = &data[(i + 1) % n];
            let _ = writeln!(text, "  {d} := schoose[{other}, F];");
        }
        let _ = writeln!(text, "  if {} then skip; fi;\n{body}  goto L;\nend", data.join(" & "));
    };
    thread(
        "request",
        &format!(
            "{lock}  if !stopped then\n    busy := T;\n    assert(!stopped);\n    pending := T;\n    busy := F;\n  fi;\n{unlock}"
        ),
    );
    thread("interrupt", &format!("{lock}  if pending then\n    assert(!busy);\n    pending := F;\n  fi;\n{unlock}"));
    thread("stop", &format!("{lock}  if !pending then stopped := T; fi;\n  assert(!busy);\n{unlock}"));
    text.push_str("\nvoid main() begin\n  lock, stopped, pending, busy := F, F, F, F;\n");
    for name in ["request", "interrupt", "stop"] {
        let _ = writeln!(text, "  start_thread {name}();");
    }
    text.push_str("end\n");
    text
}

/// `n` threads, each with steps of its own before and after it changes what all share, under a lock.
pub fn workers(n: usize) -> String {
    let mut text = String::from(
        "decl lock, inside;\n\nvoid worker() begin\n  decl a, b, c;\n  a := *;\n  b := !a;\n  c := a & b;\n  atomic_begin; \
         assume(!lock); lock := T; atomic_end;\n  assert(!inside);\n  inside := T;\n  a := b | c;\n  inside := F;\n  lock := F;\n  \
         if a then b := c; else b := !c; fi;\nend\n\nvoid main() begin\n  lock, inside := F, F;\n",
    );
    for _ in 0..n {
        text.push_str("  start_thread worker();\n");
    }
    text.push_str("end\n");
    text
}

/// `n` threads that may move only for some values: the solver must find out which can. Each waits for its own condition, which
/// an arbitrary choice decides, and then changes what all share.
pub fn waiters(n: usize) -> String {
    let conditions = names("c", n);
    let mut text = format!("decl {}, sum;\n", conditions.join(", "));
    for (i, own) in conditions.iter().enumerate() {
        let other = &conditions[(i + 1) % n];
        let _ = writeln!(
            text,
            "\nvoid waiter{i}() begin\n  decl l, m;\n  l, m := *, *;\n  assume({own} & (l | m) | !{own} & !l & {other});\n  l := m ^ \
             {own};\n  assume(l | m | {own} | {other});\n  sum := sum ^ l;\n  assert((l | m) | {own} | {other});\nend",
        );
    }
    let _ =
        writeln!(text, "\nvoid main() begin\n  {} := {};\n  sum := F;", conditions.join(", "), vec!["*"; n].join(", "));
    for i in 0..n {
        let _ = writeln!(text, "  start_thread waiter{i}();");
    }
    text.push_str("end\n");
    text
}
