//! Functions that stand for an operation of SMT-LIB: `{:builtin "..."}` and `{:bvbuiltin "..."}`.

use super::context::{Lowered, Lowering};
use source::{Span, Symbol};
use term::{Op, Sort, SortKind, Term, build};

impl Lowering<'_> {
    /// The operation applied to arguments, with a result of the sort.
    pub fn builtin(&mut self, name: Symbol, arguments: &[Term], result: Sort, span: Span) -> Lowered<Term> {
        let made = match (name.as_str().trim(), arguments) {
            ("div", [a, b]) if a.sort() == Sort::int() && b.sort() == Sort::int() => Some(self.int_div(*a, *b)),
            ("mod", [a, b]) if a.sort() == Sort::int() && b.sort() == Sort::int() => Some(self.int_mod(*a, *b)),
            ("rem", [a, b]) if a.sort() == Sort::int() && b.sort() == Sort::int() => {
                // As Z3 defines it: the sign follows the divisor.
                let remainder = self.int_mod(*a, *b);
                Some(build::ite(build::ge(*b, build::int(0)), remainder, build::neg(remainder)))
            }
            (text, arguments) => map_operation(text, arguments, result).or_else(|| operation(text, arguments)),
        };
        match made {
            Some(term) if term.sort() == result => Ok(term),
            _ => self.refuse(format!("the builtin function {name}"), span),
        }
    }
}

/// The operation of a name, which may have numbers: `(_ zero_extend 8)`, or without the parentheses.
fn operation(text: &str, arguments: &[Term]) -> Option<Term> {
    let words: Vec<&str> = text.trim_matches(['(', ')']).split_whitespace().filter(|word| *word != "_").collect();
    let (name, numbers) = words.split_first()?;
    let numbers: Vec<u32> = numbers.iter().map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let make =
        |op: Op, arguments: &[Term]| Term::try_new(op.clone(), arguments).ok().map(|_| build::make(&op, arguments));
    if let Some(op) = plain(name, &numbers, arguments) {
        return make(op, arguments);
    }
    let [a, b] = *arguments else { return None };
    let swapped = [b, a];
    let width = a.sort().bv_width();
    match *name {
        ">" => make(Op::Lt, &swapped),
        ">=" => make(Op::Le, &swapped),
        "bvugt" => make(Op::BvUlt, &swapped),
        "bvuge" => make(Op::BvUle, &swapped),
        "bvsgt" => make(Op::BvSlt, &swapped),
        "bvsge" => make(Op::BvSle, &swapped),
        "bvnand" => make(Op::BvAnd, arguments).map(build::bv_not),
        "bvnor" => make(Op::BvOr, arguments).map(build::bv_not),
        "bvxnor" => make(Op::BvXor, arguments).map(build::bv_not),
        "bvcomp" if a.sort() == b.sort() => Some(build::ite(build::eq(a, b), build::bv(1, 1), build::bv(1, 0))),
        // The sign follows the divisor.
        "bvsmod" => {
            let remainder = make(Op::BvSrem, arguments)?;
            let zero = build::bv(width?, 0);
            let differ = build::xor(build::bv_slt(remainder, zero), build::bv_slt(b, zero));
            let adjust = build::and([build::ne(remainder, zero), build::ne(b, zero), differ]);
            Some(build::ite(adjust, build::bv_add(remainder, b), remainder))
        }
        _ => None,
    }
}

/// The operators that are ours too.
fn plain(name: &str, numbers: &[u32], arguments: &[Term]) -> Option<Op> {
    let width = arguments.first().and_then(|a| a.sort().bv_width());
    let extended = |by: u32| width?.checked_add(by).filter(|to| (1..=term::MAX_WIDTH).contains(to));
    Some(match (name, numbers) {
        ("not", []) => Op::Not,
        ("and", []) => Op::And,
        ("or", []) => Op::Or,
        ("xor", []) => Op::Xor,
        ("=>", []) => Op::Implies,
        ("=", []) => Op::Eq,
        ("ite", []) => Op::Ite,
        ("+", []) => Op::Add,
        ("-", []) if arguments.len() == 1 => Op::Neg,
        ("-", []) => Op::Sub,
        ("*", []) => Op::Mul,
        ("<", []) => Op::Lt,
        ("<=", []) => Op::Le,
        ("to_real", []) => Op::ToReal,
        ("to_int", []) => Op::ToInt,
        ("select", []) => Op::Select,
        ("store", []) => Op::Store,
        ("bvadd", []) => Op::BvAdd,
        ("bvsub", []) => Op::BvSub,
        ("bvmul", []) => Op::BvMul,
        ("bvneg", []) => Op::BvNeg,
        ("bvudiv", []) => Op::BvUdiv,
        ("bvsdiv", []) => Op::BvSdiv,
        ("bvurem", []) => Op::BvUrem,
        ("bvsrem", []) => Op::BvSrem,
        ("bvand", []) => Op::BvAnd,
        ("bvor", []) => Op::BvOr,
        ("bvxor", []) => Op::BvXor,
        ("bvnot", []) => Op::BvNot,
        ("bvshl", []) => Op::BvShl,
        ("bvlshr", []) => Op::BvLshr,
        ("bvashr", []) => Op::BvAshr,
        ("bvult", []) => Op::BvUlt,
        ("bvule", []) => Op::BvUle,
        ("bvslt", []) => Op::BvSlt,
        ("bvsle", []) => Op::BvSle,
        ("concat", []) => Op::Concat,
        ("bv2nat" | "bv2int" | "ubv_to_int", []) => Op::BvToInt { signed: false },
        ("sbv_to_int", []) => Op::BvToInt { signed: true },
        ("int2bv" | "nat2bv" | "int_to_bv", [to]) if (1..=term::MAX_WIDTH).contains(to) => Op::IntToBv(*to),
        ("zero_extend", [by]) => Op::ZeroExtend(extended(*by)?),
        ("sign_extend", [by]) => Op::SignExtend(extended(*by)?),
        ("extract", [high, low]) => Op::Extract { high: *high, low: *low },
        ("fp.abs", []) => Op::FpAbs,
        ("fp.neg", []) => Op::FpNeg,
        ("fp.eq", []) => Op::FpEq,
        ("fp.lt", []) => Op::FpLt,
        ("fp.leq", []) => Op::FpLe,
        ("fp.isNaN", []) => Op::FpIsNan,
        ("fp.isInfinite", []) => Op::FpIsInfinite,
        ("fp.isZero", []) => Op::FpIsZero,
        ("fp.isNormal", []) => Op::FpIsNormal,
        ("fp.isSubnormal", []) => Op::FpIsSubnormal,
        ("fp.isNegative", []) => Op::FpIsNegative,
        _ => return None,
    })
}

/// Boogie's operations on whole maps: the constant map, and others element by element.
fn map_operation(name: &str, arguments: &[Term], result: Sort) -> Option<Term> {
    let SortKind::Array(index, element) = *result.kind() else { return None };
    if let ("MapConst", [value]) = (name, arguments) {
        return (value.sort() == element).then(|| build::const_array(result, *value));
    }
    let at = Term::var("index!0", index);
    let mut elements = Vec::new();
    for argument in arguments {
        match argument.sort().kind() {
            SortKind::Array(sort, _) if *sort == index => elements.push(build::select(*argument, at)),
            _ => return None,
        }
    }
    let (op, is_swapped) = match name {
        "MapAdd" => (Op::Add, false),
        "MapSub" => (Op::Sub, false),
        "MapMul" => (Op::Mul, false),
        "MapLt" => (Op::Lt, false),
        "MapLe" => (Op::Le, false),
        "MapGt" => (Op::Lt, true),
        "MapGe" => (Op::Le, true),
        "MapEq" | "MapIff" => (Op::Eq, false),
        "MapAnd" => (Op::And, false),
        "MapOr" => (Op::Or, false),
        "MapNot" => (Op::Not, false),
        "MapImp" => (Op::Implies, false),
        "MapIte" => (Op::Ite, false),
        _ => return None,
    };
    if is_swapped {
        elements.reverse();
    }
    Term::try_new(op.clone(), &elements).ok().filter(|body| body.sort() == element)?;
    Some(build::lambda(at, build::make(&op, &elements)))
}
