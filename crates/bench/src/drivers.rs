//! Boogie programs that are built as drivers are, after those that Corral's paper measures: a harness that calls one of many
//! dispatch routines, layers of helpers below them, hundreds of globals most of which never matter, and a lock that must be taken
//! and released in turns.

use std::fmt::Write;

/// How large a driver is, and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// What the environment can call.
    pub routines: usize,
    /// How many helpers lie below each of them, one calling the next.
    pub depth: usize,
    /// Procedures that all share. Each calls two others, so that they are a tree of calls when inlined.
    pub shared: usize,
    pub globals: usize,
    /// Whether every third routine takes and releases the lock in a loop. Without summaries, no bound on such loops is enough.
    pub loops: bool,
    /// Whether the last routine may return with the lock held.
    pub bug: bool,
}

impl Driver {
    /// How many procedures there are, with the harness, its initialisation and the two that work on the lock.
    pub fn procedures(&self) -> usize {
        4 + self.routines * (1 + self.depth) + self.shared
    }

    pub fn text(&self) -> String {
        let mut text = String::from(
            "var lock: int;\nvar memory: [int]int;\n\nprocedure acquire()\n  modifies lock;\n{\n  assert lock == 0;\n  \
             lock := 1;\n}\n\nprocedure release()\n  modifies lock;\n{\n  assert lock == 1;\n  lock := 0;\n}\n",
        );
        for i in 0..self.globals {
            let _ = write!(text, "var g{i}: int;\n{}", if i + 1 == self.globals { "\n" } else { "" });
        }
        (0..self.shared).for_each(|i| self.shared_procedure(i, &mut text));
        for routine in 0..self.routines {
            (0..self.depth).for_each(|level| self.helper(routine, level, &mut text));
            self.routine(routine, &mut text);
        }
        self.harness(&mut text);
        text
    }

    /// Some global, always the same for the same numbers; never one that a routine decides by.
    fn global(&self, a: usize, b: usize) -> usize {
        let free = self.globals - self.routines;
        self.routines + (a.wrapping_mul(7919) ^ b.wrapping_mul(104_729)).wrapping_add(a * b) % free
    }

    /// Which clause tells what may change: all but what routines decide by.
    fn modifies(&self, out: &mut String) {
        let names: Vec<String> = (self.routines..self.globals).map(|i| format!("g{i}")).collect();
        let _ = writeln!(out, "  modifies lock, memory, {};", names.join(", "));
    }

    /// Computes with globals that do not matter, and calls two others.
    fn shared_procedure(&self, i: usize, out: &mut String) {
        let (a, b, c) = (self.global(i, 1), self.global(i, 2), self.global(i, 3));
        let _ = writeln!(out, "\nprocedure shared{i}(x: int) returns (y: int)");
        self.modifies(out);
        let _ = writeln!(out, "{{\n  y := x;\n  if (g{a} > x) {{\n    g{b} := g{c} + x;");
        let call = |callee: usize, out: &mut String| {
            if callee < self.shared {
                let _ = writeln!(out, "    call y := shared{callee}(x + g{c});");
            }
        };
        call(2 * i + 1, out);
        let _ = writeln!(out, "  }} else {{\n    memory[x] := g{a};");
        call(2 * i + 2, out);
        out.push_str("  }\n}\n");
    }

    /// Calls the next one. The last one gives the lock away for a while, if it is told that it is held.
    fn helper(&self, routine: usize, level: usize, out: &mut String) {
        let seed = routine * self.depth + level;
        let (a, b) = (self.global(seed, 5), self.global(seed, 6));
        let _ = writeln!(out, "\nprocedure helper{routine}_{level}(x: int, held: bool) returns (y: int)");
        self.modifies(out);
        let _ = writeln!(out, "{{\n  y := x;\n  if (x > g{a}) {{\n    g{a} := g{b} + {level};");
        if self.shared > 0 {
            let _ = writeln!(out, "    call y := shared{}(x);", seed % self.shared.min(4));
        }
        out.push_str("  }\n");
        if level + 1 < self.depth {
            let _ = writeln!(out, "  call y := helper{routine}_{}(y + 1, held);\n}}", level + 1);
        } else {
            let _ = writeln!(
                out,
                "  if (held) {{\n    call release();\n    memory[x] := memory[x] + 1;\n    call acquire();\n  }}\n}}"
            );
        }
    }

    /// Takes the lock if its own global says so, calls the helpers, and releases it.
    fn routine(&self, i: usize, out: &mut String) {
        let _ = writeln!(out, "\nprocedure routine{i}(irp: int) returns (status: int)");
        self.modifies(out);
        out.push_str("{\n  status := memory[irp];\n");
        if self.loops && i.is_multiple_of(3) {
            out.push_str(
                "  while (status > 0) {\n    call acquire();\n    status := status - memory[status];\n    call release();\n  }\n",
            );
        }
        let _ = writeln!(out, "  if (g{i} == 1) {{\n    call acquire();\n  }}");
        if self.depth > 0 {
            let _ = writeln!(out, "  call status := helper{i}_0(irp, g{i} == 1);");
        }
        let wanted = if self.bug && i + 1 == self.routines { "g{i} == 1 && memory[irp] != 77" } else { "g{i} == 1" };
        let wanted = wanted.replace("{i}", &i.to_string());
        let _ = writeln!(out, "  if ({wanted}) {{\n    call release();\n  }}\n}}");
    }

    fn harness(&self, out: &mut String) {
        out.push_str("\nprocedure start()\n  modifies lock;\n{\n  lock := 0;\n}\n");
        out.push_str("\nprocedure {:entrypoint} main()\n");
        self.modifies(out);
        out.push_str("{\n  var which: int;\n  var status: int;\n  call start();\n  havoc which;\n");
        for i in 0..self.routines {
            let _ = writeln!(out, "  if (which == {i}) {{\n    call status := routine{i}(which);\n  }}");
        }
        out.push_str("  assert lock == 0;\n}\n");
    }
}

/// Procedures of which each calls the next one twice: the last of `depth` is called 2^`depth` times. Nothing that they do
/// matters.
pub fn tree(depth: usize) -> String {
    let mut text = String::from("var x: int;\nvar y: int;\n\nprocedure f0()\n  modifies y;\n{\n  y := y + 1;\n}\n");
    for n in 1..=depth {
        let callee = n - 1;
        let _ = writeln!(text, "\nprocedure f{n}()\n  modifies y;\n{{\n  call f{callee}();\n  call f{callee}();\n}}");
    }
    let _ = writeln!(
        text,
        "\nprocedure {{:entrypoint}} main()\n  modifies x, y;\n{{\n  x := 1;\n  call f{depth}();\n  assert x == 1;\n}}"
    );
    text
}
