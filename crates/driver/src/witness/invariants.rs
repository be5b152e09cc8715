//! What of a proof can be said of the source: invariants of loops as expressions of C over the variables in scope there.
//!
//! A proof is about a program without calls and memory, whose variables are often narrower than the source's. Only what is said of
//! the source's own variables, with all their bits, is told, at a loop that stands in the user's file; other conjuncts are
//! left out, which makes the invariant weaker, and still one. Values are written as unsigned numbers of their width, so that no operation of C does more
//! or less than the formula's.

use analysis::retreating;
use engine::Proof;
use ir::{LocId, ProcId, Program, Variable};
use pass::Passed;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, Symbol};
use std::collections::BTreeMap;
use term::{Op, Term, Value};

/// Longer expressions are left out: nobody would read them.
const LONGEST: usize = 2000;

/// An invariant at a place of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceInvariant {
    pub place: Place,
    pub function: Symbol,
    pub expression: String,
}

/// What can be said of the loops of a program, from a proof about what passes made of it.
pub fn of_proof(program: &Program, passed: &Passed, proof: &Proof) -> Vec<SourceInvariant> {
    let entry = passed.program.entry;
    // What strengthens an induction holds at its cuts as well.
    let (Proof::Invariants(invariants) | Proof::Unwound { invariants, .. }, Ok(cfa)) =
        (proof, &passed.program.procedure(entry).body)
    else {
        return Vec::new();
    };
    // Copies of one loop are one loop of the source: one of their invariants holds. Of a copy without one nothing is known.
    let mut of_heads: BTreeMap<(ProcId, LocId), Option<Vec<String>>> = BTreeMap::new();
    let mut heads = FxHashMap::default();
    for (location, _) in cfa.locations() {
        let Some(origin @ (procedure, head)) = origin(program, passed, location) else { continue };
        let Ok(body) = &program.procedure(procedure).body else { continue };
        if !heads.entry(procedure).or_insert_with(|| FxHashSet::from_iter(retreating::heads(body))).contains(&head) {
            continue;
        }
        let writer = Writer { scope: scope(&passed.program, program.procedure(procedure).name) };
        let told = invariants.iter().find(|told| told.procedure == entry && told.location == location);
        let written = told.and_then(|told| writer.claim(told.formula)).filter(|text| text.len() <= LONGEST);
        let known = of_heads.entry(origin).or_insert_with(|| Some(Vec::new()));
        *known = known.take().zip(written).map(|(mut all, text)| {
            if !all.contains(&text) {
                all.push(text);
            }
            all
        });
    }
    let told = of_heads.into_iter().filter_map(|((procedure, head), texts)| {
        let function = program.procedure(procedure);
        let place = function.body.as_ref().ok()?.location(head).place?;
        let expression = texts?.join(" || ");
        // Loops that are never reached are nobody's concern.
        let says_something = !matches!(expression.as_str(), "" | "0" | "1");
        says_something.then_some(SourceInvariant { place, function: function.name, expression })
    });
    told.collect()
}

/// The location that a location of the entry after passes was made from.
fn origin(program: &Program, passed: &Passed, location: LocId) -> Option<(ProcId, LocId)> {
    let cfa = passed.program.procedure(passed.program.entry).body.as_ref().ok()?;
    let leaving = cfa.outgoing(location).iter();
    let (procedure, edge) = leaving.filter_map(|edge| passed.lift.edge(passed.program.entry, *edge)).next()?;
    let body = program.procedure(procedure).body.as_ref().ok()?;
    ((edge.0 as usize) < body.edge_count()).then(|| (procedure, body.edge(edge).from))
}

/// The source's names of variables that a function can see, if they are not ambiguous.
fn scope(program: &Program, function: Symbol) -> FxHashMap<Term, &Variable> {
    let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.locals));
    let mut by_name: FxHashMap<Symbol, Vec<&Variable>> = FxHashMap::default();
    for variable in program.globals.iter().chain(locals) {
        let owner = variable.name().as_str().split_once("::").map(|(owner, _)| owner);
        if owner.is_none_or(|owner| owner == function.as_str())
            && let Some(name) = variable.user_name
        {
            by_name.entry(name).or_default().push(variable);
        }
    }
    let root = |variable: &Variable| variable.name().as_str().split('%').next().unwrap_or_default().to_string();
    let unique = by_name.into_values().filter(|all| all.iter().all(|one| root(one) == root(all[0])));
    unique.flatten().map(|variable| (variable.term, variable)).collect()
}

struct Writer<'a> {
    scope: FxHashMap<Term, &'a Variable>,
}

/// The unsigned and the signed type of a width.
fn types(width: u32) -> Option<(&'static str, &'static str)> {
    Some(match width {
        8 => ("unsigned char", "signed char"),
        16 => ("unsigned short", "short"),
        32 => ("unsigned int", "int"),
        64 => ("unsigned long long", "long long"),
        _ => return None,
    })
}

/// The width of an integer type of C, for what the program's own variables are declared with.
fn width_of(type_name: &str) -> Option<u32> {
    let words: Vec<&str> = type_name.split_whitespace().filter(|w| !matches!(*w, "const" | "volatile")).collect();
    Some(match words.join(" ").as_str() {
        "char" | "signed char" | "unsigned char" => 8,
        "short" | "unsigned short" => 16,
        "int" | "unsigned int" => 32,
        "long long" | "unsigned long long" => 64,
        _ => return None,
    })
}

impl Writer<'_> {
    /// What of a formula can be written: a condition that follows from it.
    fn claim(&self, term: Term) -> Option<String> {
        match term.op() {
            Op::And => {
                let mut parts: Vec<String> = term.args().iter().filter_map(|part| self.claim(*part)).collect();
                match parts.len() {
                    0 | 1 => parts.pop(),
                    _ => Some(format!("({})", parts.join(" && "))),
                }
            }
            Op::Or => {
                let parts: Option<Vec<String>> = term.args().iter().map(|part| self.claim(*part)).collect();
                Some(format!("({})", parts?.join(" || ")))
            }
            _ => self.truth(term),
        }
    }

    /// A formula, as a condition.
    fn truth(&self, term: Term) -> Option<String> {
        let all = |between: &str| -> Option<String> {
            let parts: Option<Vec<String>> = term.args().iter().map(|part| self.truth(*part)).collect();
            Some(format!("({})", parts?.join(between)))
        };
        let compare = |operator: &str, signed: bool| -> Option<String> {
            let [x, y] = term.args() else { return None };
            Some(format!("({} {operator} {})", self.number(*x, signed)?, self.number(*y, signed)?))
        };
        match (term.op(), term.args()) {
            (Op::Const(Value::Bool(truth)), _) => Some(if *truth { "1" } else { "0" }.to_string()),
            (Op::Not, [part]) => Some(format!("!{}", self.truth(*part)?)),
            (Op::And, _) => all(" && "),
            (Op::Or, _) => all(" || "),
            (Op::Implies, [x, y]) => Some(format!("(!{} || {})", self.truth(*x)?, self.truth(*y)?)),
            (Op::Eq, [x, y]) if x.sort().is_bool() => Some(format!("({} == {})", self.truth(*x)?, self.truth(*y)?)),
            (Op::Eq, _) => compare("==", false),
            (Op::BvUlt, _) => compare("<", false),
            (Op::BvUle, _) => compare("<=", false),
            (Op::BvSlt, _) => compare("<", true),
            (Op::BvSle, _) => compare("<=", true),
            _ => None,
        }
    }

    /// A bit-vector, as a number of C's type of its width.
    fn number(&self, term: Term, signed: bool) -> Option<String> {
        let width = term.sort().bv_width()?;
        let (unsigned_type, signed_type) = types(width)?;
        let ty = if signed { signed_type } else { unsigned_type };
        if let Op::Const(Value::Bv(bits)) = term.op() {
            return Some(match signed {
                // The least number has no literal of its own.
                true if bits.signed() == i128::MIN >> (128 - width) => format!("(-{}LL - 1)", bits.signed().abs() - 1),
                true => bits.signed().to_string(),
                false => format!("{}{}", bits.unsigned(), if width == 64 { "ULL" } else { "U" }),
            });
        }
        let operation = |operator: &str| -> Option<String> {
            let [x, y] = term.args() else { return None };
            Some(format!("{} {operator} {}", self.number(*x, false)?, self.number(*y, false)?))
        };
        let text = match (term.op(), term.args()) {
            (Op::Var { .. }, _) => {
                let variable = self.scope.get(&term)?;
                let declared = variable.user_type.and_then(|ty| width_of(ty.as_str()));
                (declared == Some(width)).then(|| variable.user_name.map(|name| name.to_string()))??
            }
            (Op::BvAdd, _) => operation("+")?,
            (Op::BvSub, _) => operation("-")?,
            (Op::BvMul, _) if width >= 32 => operation("*")?,
            (Op::BvAnd, _) => operation("&")?,
            (Op::BvOr, _) => operation("|")?,
            (Op::BvXor, _) => operation("^")?,
            (Op::BvNeg, [x]) => format!("0 - {}", self.number(*x, false)?),
            (Op::BvNot, [x]) => format!("~{}", self.number(*x, false)?),
            (Op::ZeroExtend(_), [x]) => self.number(*x, false)?,
            (Op::SignExtend(_), [x]) => self.number(*x, true)?,
            (Op::Extract { low: 0, .. }, [x]) => self.number(*x, false)?,
            (Op::Ite, [condition, x, y]) => {
                format!("{} ? {} : {}", self.truth(*condition)?, self.number(*x, false)?, self.number(*y, false)?)
            }
            _ => return None,
        };
        let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Some(if is_name { format!("({ty}){text}") } else { format!("({ty})({text})") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Sort, build};

    fn check(formula: Term, expected: Option<&str>) {
        let x = Variable {
            user_name: Some(Symbol::new("x")),
            user_type: Some(Symbol::new("int")),
            ..Variable::internal("f::x", Sort::bv(32))
        };
        let scope = FxHashMap::from_iter([(x.term, &x)]);
        assert_eq!(Writer { scope }.claim(formula).as_deref(), expected);
    }

    #[test]
    fn what_cannot_be_written_is_left_out_of_conjunctions() {
        let (x, other) = (Term::var("f::x", Sort::bv(32)), Term::var("f::y", Sort::bool()));
        let small = build::bv_ult(x, build::bv(32, 5));
        check(build::and([small, other]), Some("((unsigned int)x < 5U)"));
        check(build::or([small, other]), None);
    }

    #[test]
    fn formulas_become_conditions() {
        let x = Term::var("f::x", Sort::bv(32));
        let number = |n: i128| build::bv_signed(32, n);
        check(build::bv_slt(x, number(-5)), Some("((int)x < -5)"));
        check(build::not(build::eq(x, number(3))), Some("!((unsigned int)x == 3U)"));
        let sum = build::bv_add(x, number(1));
        check(build::bv_slt(sum, number(100)), Some("((int)((unsigned int)x + 1U) < 100)"));
        check(build::eq(Term::var("f::y", Sort::bv(32)), x), None);
        check(build::eq(Term::var("f::x", Sort::bv(8)), build::bv(8, 1)), None);
    }
}
