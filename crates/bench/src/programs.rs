//! Families of C programs that grow with a number, in the style of the programs that papers measure.

use std::fmt::Write;

/// `n` locks, each taken and released when its condition holds: 2ⁿ ways through the body of a loop. The label ERROR cannot
/// be reached.
pub fn locks(n: usize) -> String {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\n\nint main(void) {\n");
    for i in 1..=n {
        let _ = writeln!(text, "    int wanted{i} = __VERIFIER_nondet_int();\n    int lock{i};");
    }
    text.push_str("    while (__VERIFIER_nondet_int()) {\n");
    for i in 1..=n {
        let _ = writeln!(text, "        lock{i} = 0;");
    }
    for i in 1..=n {
        let _ = writeln!(text, "        if (wanted{i})\n            lock{i} = 1;");
    }
    for i in 1..=n {
        let _ = writeln!(
            text,
            "        if (wanted{i}) {{\n            if (lock{i} != 1)\n                goto ERROR;\n            \
             lock{i} = 0;\n        }}"
        );
    }
    text.push_str("    }\n    return 0;\nERROR:\n    return 1;\n}\n");
    text
}

/// A handshake of `n` states in a loop, at least 4. It begins with a greeting; a known session skips to the end, all others
/// exchange keys half-way. At the end there must be keys or a known session: otherwise the label ERROR is reached. With
/// the bug, an alert before the exchange leads to the end.
pub fn handshake(n: usize, bug: bool) -> String {
    let n = n.max(4);
    let (exchange, last) = (n / 2, n - 1);
    let state = |i: usize| 4096 + 16 * i;
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\n\nint main(void) {\n    int state = 4096;\n    int known = 0;\n    \
         int keys = 0;\n    while (1) {\n",
    );
    for i in 0..n {
        let (at, next, end) = (state(i), state(i + 1), state(last));
        let _ = writeln!(text, "        {}if (state == {at}) {{", if i == 0 { "" } else { "} else " });
        let body = if i == 0 {
            format!(
                "keys = 0;\nknown = __VERIFIER_nondet_int() != 0;\nif (known)\n    state = {end};\nelse\n    state = \
                 {next};"
            )
        } else if i == exchange {
            format!("keys = 1;\nstate = {next};")
        } else if i == last {
            format!(
                "if (!keys && !known)\n    goto ERROR;\nif (__VERIFIER_nondet_int())\n    return 0;\nstate = {};",
                state(0)
            )
        } else if bug && i + 1 == exchange {
            format!("if (__VERIFIER_nondet_int())\n    state = {next};\nelse\n    state = {end};")
        } else {
            format!("if (__VERIFIER_nondet_int())\n    state = {next};")
        };
        for line in body.lines() {
            let _ = writeln!(text, "            {line}");
        }
    }
    text.push_str("        } else {\n            return 2;\n        }\n    }\nERROR:\n    return 1;\n}\n");
    text
}
