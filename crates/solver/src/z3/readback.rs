//! Z3's formulas back to terms.
//!
//! Only what Z3 puts into interpolants is read: quantifiers, floats and what Z3 made up for itself give `None`.
//! Pointers are bit-vectors in Z3, so a pointer comes back as the concatenation of its parts and is made a pointer again
//! where an operator wants one.

use super::context::Ast;
use super::translate::{Name, Translator};
use super::values::{application, name_of, numeral_value};
use rustc_hash::FxHashMap;
use term::{Op, Sort, SortKind, Term, Value, build};
use z3_sys::*;

/// Reads a formula; `bound` gives the terms for the variables of the binder around it, by Z3's index.
pub(super) fn term(translator: &Translator, root: &Ast, bound: &[Term]) -> Option<Term> {
    let mut memo: FxHashMap<Z3_ast, Term> = FxHashMap::default();
    // The owners keep what the memo names alive.
    let mut stack: Vec<(Ast, Vec<Ast>)> = vec![(root.clone(), Vec::new())];
    let mut kept: Vec<Ast> = Vec::new();
    let mut opened: rustc_hash::FxHashSet<Z3_ast> = rustc_hash::FxHashSet::default();
    while let Some((ast, args)) = stack.pop() {
        if memo.contains_key(&ast.raw()) {
            continue;
        }
        if opened.insert(ast.raw()) {
            let args = match application(translator, &ast) {
                Some((_, args)) => args,
                None => Vec::new(),
            };
            let children = args.clone();
            stack.push((ast, args));
            stack.extend(children.into_iter().map(|child| (child, Vec::new())));
            continue;
        }
        let args: Vec<Term> = args.iter().map(|arg| memo.get(&arg.raw()).copied()).collect::<Option<_>>()?;
        let read = node(translator, &ast, &args, bound)?;
        memo.insert(ast.raw(), read);
        kept.push(ast);
    }
    memo.get(&root.raw()).copied()
}

fn node(translator: &Translator, ast: &Ast, args: &[Term], bound: &[Term]) -> Option<Term> {
    let c = translator.context().raw();
    // SAFETY: the term belongs to the context, and is a variable where its index is asked for.
    unsafe {
        if Z3_get_ast_kind(c, ast.raw()) == AstKind::Var {
            return bound.get(Z3_get_index_value(c, ast.raw()) as usize).map(|v| as_bits(*v));
        }
    }
    let (kind, _) = application(translator, ast)?;
    use DeclKind as K;
    match (kind, args) {
        (K::True, []) => Some(build::truth()),
        (K::False, []) => Some(build::falsehood()),
        (K::Anum | K::Bnum, []) => numeral_value(translator, ast).map(Term::constant),
        (K::Uninterpreted, _) => match name_of(translator, ast)? {
            Name::Variable(variable) if args.is_empty() => Some(as_bits(*variable)),
            Name::Element(sort, number) if args.is_empty() => Some(Term::constant(Value::Element(*sort, *number))),
            Name::Function(function) => {
                let args = args.iter().zip(&function.parameters).map(|(a, sort)| as_sort(*a, *sort));
                make(Op::Apply(function.clone()), &args.collect::<Option<Vec<_>>>()?).map(as_bits)
            }
            _ => None,
        },
        (K::And, _) => Some(build::and(args.iter().copied())),
        (K::Or, _) => Some(build::or(args.iter().copied())),
        (K::Eq | K::Iff, [a, b]) => make(Op::Eq, &alike(*a, *b)?),
        (K::Distinct, [a, b]) => make(Op::Eq, &alike(*a, *b)?).map(build::not),
        (K::Ite, [condition, a, b]) => {
            let [a, b] = alike(*a, *b)?;
            make(Op::Ite, &[*condition, a, b])
        }
        (K::Ge, [a, b]) => make(Op::Le, &[*b, *a]),
        (K::Gt, [a, b]) => make(Op::Lt, &[*b, *a]),
        (K::Ugeq, [a, b]) => make(Op::BvUle, &[*b, *a]),
        (K::Ugt, [a, b]) => make(Op::BvUlt, &[*b, *a]),
        (K::Sgeq, [a, b]) => make(Op::BvSle, &[*b, *a]),
        (K::Sgt, [a, b]) => make(Op::BvSlt, &[*b, *a]),
        // Z3 leaves division by zero open, so only divisors that cannot be zero are read.
        (K::Div, [a, b]) => make(Op::RealDiv, &[*a, nonzero(*b)?]),
        (K::Idiv, [a, b]) => make(Op::IntDiv, &[*a, nonzero(*b)?]),
        (K::Mod, [a, b]) => make(Op::IntMod, &[*a, nonzero(*b)?]),
        (K::Extract, [a]) => {
            let (high, low) = (parameter(translator, ast, 0)?, parameter(translator, ast, 1)?);
            make(Op::Extract { high, low }, &[*a])
        }
        (K::ZeroExt, [a]) => make(Op::ZeroExtend(a.sort().bv_width()? + parameter(translator, ast, 0)?), &[*a]),
        (K::SignExt, [a]) => make(Op::SignExtend(a.sort().bv_width()? + parameter(translator, ast, 0)?), &[*a]),
        (K::Int2bv, [a]) => make(Op::IntToBv(parameter(translator, ast, 0)?), &[*a]),
        (K::Bv2int, [a]) => make(Op::BvToInt { signed: false }, &[*a]),
        (K::Sbv2int, [a]) => make(Op::BvToInt { signed: true }, &[*a]),
        (K::Select, [array, index]) => {
            let SortKind::Array(from, _) = array.sort().kind() else { return None };
            make(Op::Select, &[*array, as_sort(*index, *from)?]).map(as_bits)
        }
        (K::Store, [array, index, element]) => {
            let SortKind::Array(from, to) = array.sort().kind() else { return None };
            make(Op::Store, &[*array, as_sort(*index, *from)?, as_sort(*element, *to)?])
        }
        (_, [a]) => make(unary(kind)?, &[*a]),
        (_, [first, rest @ ..]) => {
            let op = binary(kind)?;
            rest.iter().try_fold(*first, |sum, next| make(op.clone(), &[sum, *next]))
        }
        _ => None,
    }
}

fn unary(kind: DeclKind) -> Option<Op> {
    use DeclKind as K;
    Some(match kind {
        K::Not => Op::Not,
        K::Uminus => Op::Neg,
        K::ToReal => Op::ToReal,
        K::ToInt => Op::ToInt,
        K::Bneg => Op::BvNeg,
        K::Bnot => Op::BvNot,
        _ => return None,
    })
}

/// Operators of two arguments, or of more that Z3 folds from the left.
fn binary(kind: DeclKind) -> Option<Op> {
    use DeclKind as K;
    Some(match kind {
        K::Xor => Op::Xor,
        K::Implies => Op::Implies,
        K::Add => Op::Add,
        K::Sub => Op::Sub,
        K::Mul => Op::Mul,
        K::Le => Op::Le,
        K::Lt => Op::Lt,
        K::Badd => Op::BvAdd,
        K::Bsub => Op::BvSub,
        K::Bmul => Op::BvMul,
        K::Budiv | K::BudivI => Op::BvUdiv,
        K::Bsdiv | K::BsdivI => Op::BvSdiv,
        K::Burem | K::BuremI => Op::BvUrem,
        K::Bsrem | K::BsremI => Op::BvSrem,
        K::Band => Op::BvAnd,
        K::Bor => Op::BvOr,
        K::Bxor => Op::BvXor,
        K::Bshl => Op::BvShl,
        K::Blshr => Op::BvLshr,
        K::Bashr => Op::BvAshr,
        K::Uleq => Op::BvUle,
        K::Ult => Op::BvUlt,
        K::Sleq => Op::BvSle,
        K::Slt => Op::BvSlt,
        K::Concat => Op::Concat,
        _ => return None,
    })
}

/// The simplified term, if the arguments fit.
fn make(op: Op, args: &[Term]) -> Option<Term> {
    Term::try_new(op.clone(), args).ok()?;
    Some(build::make(&op, args))
}

fn nonzero(divisor: Term) -> Option<Term> {
    let value = divisor.value()?;
    (Value::zero(divisor.sort()).as_ref() != Some(value)).then_some(divisor)
}

fn parameter(translator: &Translator, ast: &Ast, index: u32) -> Option<u32> {
    let c = translator.context().raw();
    // SAFETY: the term belongs to the context and is an application; the index is below the number of parameters.
    unsafe {
        let declaration = Z3_get_app_decl(c, Z3_to_app(c, ast.raw())?)?;
        if index >= Z3_get_decl_num_parameters(c, declaration) {
            return None;
        }
        u32::try_from(Z3_get_decl_int_parameter(c, declaration, index)).ok()
    }
}

/// A pointer as the bit-vector that it is in Z3; anything else as it is.
fn as_bits(term: Term) -> Term {
    match term.sort().kind() {
        SortKind::Pointer(_) => build::concat(build::pointer_object(term), build::pointer_offset(term)),
        _ => term,
    }
}

/// A bit-vector as the pointer that the sort asks for; anything else only if it has the sort.
fn as_sort(term: Term, sort: Sort) -> Option<Term> {
    match sort.kind() {
        _ if term.sort() == sort => Some(term),
        SortKind::Pointer(width) if term.sort().bv_width() == Some(width + term::OBJECT_WIDTH) => {
            let object = build::extract(width + term::OBJECT_WIDTH - 1, *width, term);
            Some(build::pointer(object, build::extract(width - 1, 0, term)))
        }
        _ => None,
    }
}

/// Two terms that are compared, with one sort.
fn alike(a: Term, b: Term) -> Option<[Term; 2]> {
    (a.sort() == b.sort()).then_some([a, b])
}
