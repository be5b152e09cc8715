//! The bits of NaNs, in programs that can see them.
//!
//! Floats that are computed with have one NaN. Beside each variable of which it matters, another one says which bits it has if it is a NaN:
//! copies keep them, an operation on signs changes their sign, and what other operations give is quiet, with any sign and payload. They
//! are put in when the program is complete.

use super::link::Link;
use super::reach::Reached;
use super::writer::Writer;
use crate::hir::{Body, Callee, CastKind, ExprId, ExprKind, Unit};
use crate::syntax::{RecordKind, deep};
use crate::types::{Record, Ty, TypeKind, Types};
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, Procedure, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{FloatFormat, Op as TermOp, Sort, SortKind, Term, build};

/// Functions whose memory holds nothing yet.
const ALLOCATORS: [&str; 5] = ["malloc", "calloc", "realloc", "aligned_alloc", "memalign"];

/// Whether the program can read or write a float as something else: as another member of a union, through a pointer to
/// another type, or by copying its bytes. The library's own functions do so, too, but no bits of a NaN come out of them.
pub(super) fn sees_float_bits(link: &Link, reached: &Reached) -> bool {
    let users = || reached.functions.iter().filter(|function| link.is_users(function.unit));
    let mixes = |types: &Types| types.records().any(|record| is_mixed_union(types, record));
    users().any(|function| mixes(&link.units[function.unit].types))
        || users()
            .filter_map(|f| Some((&link.units[f.unit], link.body(*f)?)))
            .any(|(unit, body)| casts_floats(unit, body))
}

/// Whether a value of the type has a float in it.
fn has_float(types: &Types, ty: Ty) -> bool {
    match *types.kind(ty) {
        TypeKind::Array { element, .. } => deep(|| has_float(types, element)),
        TypeKind::Record(id) => members(&types[id]).any(|ty| deep(|| has_float(types, ty))),
        _ => types.is_float(ty),
    }
}

/// Whether a value of the type has something in it that is no float.
fn has_other(types: &Types, ty: Ty) -> bool {
    match *types.kind(ty) {
        TypeKind::Array { element, .. } => deep(|| has_other(types, element)),
        TypeKind::Record(id) => members(&types[id]).any(|ty| deep(|| has_other(types, ty))),
        _ => !types.is_float(ty),
    }
}

fn members(record: &Record) -> impl Iterator<Item = Ty> {
    record.layout.iter().flat_map(|layout| layout.fields.iter().map(|field| field.ty))
}

fn is_mixed_union(types: &Types, record: &Record) -> bool {
    record.kind == RecordKind::Union
        && members(record).any(|ty| has_float(types, ty))
        && members(record).any(|ty| has_other(types, ty))
}

/// Whether a pointer to floats becomes one to something else (`void`, too, whatever is done with it), or one to other data
/// becomes one to floats. Memory that is allocated or freed shows no bits.
fn casts_floats(unit: &Unit, body: &Body) -> bool {
    let types = &unit.types;
    let calls = |id: ExprId, names: &[&str]| match &body[id].kind {
        ExprKind::Call { callee: Callee::Direct(function), .. } => names.contains(&unit[*function].name.as_str()),
        _ => false,
    };
    let freed: FxHashSet<ExprId> = body
        .exprs
        .iter()
        .flat_map(|expr| match &expr.kind {
            ExprKind::Call { callee: Callee::Direct(function), arguments }
                if unit[*function].name.as_str() == "free" =>
            {
                arguments.as_slice()
            }
            _ => &[],
        })
        .copied()
        .collect();
    body.exprs.iter().enumerate().any(|(number, expr)| {
        let ExprKind::Cast(CastKind::PointerToPointer, operand) = expr.kind else { return false };
        let (Some(from), Some(to)) = (types.pointee(body[operand].ty), types.pointee(expr.ty)) else { return false };
        let is_other = from.unqualified() != to.unqualified();
        let is_harmless = freed.contains(&ExprId(number as u32)) || calls(operand, &ALLOCATORS);
        is_other && !is_harmless && (has_float(types, from) || has_float(types, to))
    })
}

/// The format of a float.
fn format_of(sort: Sort) -> Option<FloatFormat> {
    match sort.kind() {
        SortKind::Float(format) => Some(*format),
        _ => None,
    }
}

/// The bits that a NaN of a format has in any case, and, if it is quiet, one more.
fn ones(format: FloatFormat) -> (u128, u128) {
    let fraction = format.significand - 1;
    let explicit = u32::from(format == FloatFormat::EXTENDED);
    let exponent = ((1u128 << (format.exponent + explicit)) - 1) << (format.width() - 1 - format.exponent - explicit);
    (exponent, 1 << (fraction - 1))
}

/// Which bits a variable has if it is a NaN: the variable that says so.
fn bits_of_variable(variable: Term) -> Option<Term> {
    let format = format_of(variable.sort())?;
    Some(Term::var(format!("{}$nan", variable.name()?).as_str(), Sort::bv(format.width())))
}

impl Writer<'_, '_> {
    /// The value of a constant.
    pub fn float_constant(&mut self, format: FloatFormat, bits: u128) -> Term {
        let value = build::fp(format, bits);
        if !self.context.sees_float_bits || build::fp_is_nan(value).as_bool() != Some(true) {
            return value;
        }
        let variable = self.code.temporary(value.sort());
        let own = bits_of_variable(variable).map(|own| (own, build::bv(format.width(), bits)));
        self.code.emit(Op::Assign([(variable, value)].into_iter().chain(own).collect()));
        variable
    }

    /// Goes on only where a constant that a variable with static storage starts with is no NaN: it may come from an operation.
    pub fn check_static_nan(&mut self, value: Term) {
        if self.context.sees_float_bits && build::fp_is_nan(value).as_bool() == Some(true) {
            self.unsupported("the bits of a NaN");
        }
    }

    /// Puts a value into memory; a NaN with the bits that it has.
    pub fn put_float(&mut self, pointer: Term, value: Term, put: impl Fn(&mut Self, Term, Term)) {
        let Some(format) = format_of(value.sort()).filter(|_| self.context.sees_float_bits) else {
            return put(self, pointer, value);
        };
        if build::fp_is_nan(value).as_bool() == Some(false) {
            return put(self, pointer, value);
        }
        let (pointer, variable) = (self.stable(pointer), self.code.temporary(value.sort()));
        self.code.emit(Op::assign(variable, value));
        let Some(bits) = bits_of_variable(variable) else { return };
        let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
        self.code.branch(build::fp_is_nan(variable), yes, no);
        for (start, stored) in [(yes, nan_of(format, bits)), (no, variable)] {
            self.code.continue_at(start);
            put(self, pointer, stored);
            self.code.jump(end);
        }
        self.code.continue_at(end);
    }
}

/// The bits of a NaN: those, if they are, and otherwise some that have much in common with them.
fn nan_of(format: FloatFormat, bits: Term) -> Term {
    let ((exponent, quiet), width) = (ones(format), format.width());
    let number = |number| build::bv(width, number);
    let payload = build::bv_and(bits, number((1 << (format.significand - 1)) - 1));
    let is_nan = build::ne(payload, number(0));
    build::bv_or(bits, build::ite(is_nan, number(exponent), number(exponent | quiet)))
}

/// Puts in the variables that say which bits NaNs have, as far as somebody looks at them. Gives those that are global.
pub(super) fn follow(procedures: &mut [Procedure], globals: &[Variable]) -> Vec<Variable> {
    let followed = Followed::new(procedures, globals);
    let (bodies, signatures): (Vec<bool>, Vec<Signature>) =
        procedures.iter().map(|procedure| (procedure.body.is_ok(), Signature::new(procedure, &followed))).unzip();
    for (procedure, has_body) in procedures.iter_mut().zip(bodies) {
        if has_body {
            followed.rewrite(procedure, &signatures);
        }
    }
    followed.beside(globals)
}

/// Which parameters and results of a procedure have the bits of NaNs beside them. Without a body, none.
struct Signature {
    parameters: Vec<bool>,
    results: Vec<bool>,
}

impl Signature {
    fn new(procedure: &Procedure, followed: &Followed) -> Signature {
        let has = |variables: &[Variable]| {
            let is_ok = procedure.body.is_ok();
            variables.iter().map(|variable| is_ok && followed.has(variable.term)).collect()
        };
        Signature { parameters: has(&procedure.parameters), results: has(&procedure.results) }
    }
}

/// The variables beside which it is said which bits they have as NaNs.
struct Followed {
    variables: FxHashSet<Term>,
    /// All variables that say which bits others have, with these.
    floats: FxHashMap<Term, Term>,
}

impl Followed {
    /// Those whose bits somebody looks at, and those from which these come.
    fn new(procedures: &[Procedure], globals: &[Variable]) -> Followed {
        let declared = procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        let floats: FxHashMap<Term, Term> = declared
            .chain(globals)
            .filter_map(|variable| Some((bits_of_variable(variable.term)?, variable.term)))
            .collect();
        let bodies = || procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
        let edges = || bodies().flat_map(Cfa::edges).map(|(_, edge)| &edge.op);
        let mut free = term::free::Free::among(floats.keys().copied());
        let seen = edges().flat_map(|op| op.reads()).flat_map(|read| free.of(read).to_vec()).collect::<Vec<Term>>();
        let mut followed = Followed { variables: seen.iter().map(|bits| floats[bits]).collect(), floats };
        loop {
            let before = followed.variables.len();
            for op in edges() {
                match op {
                    Op::Assign(pairs) => pairs.iter().for_each(|(to, from)| followed.passes(*from, *to)),
                    Op::Call { procedure, arguments, results } => {
                        let callee = &procedures[procedure.0 as usize];
                        followed.is_given(callee, arguments);
                        if callee.body.is_ok() {
                            for (own, target) in callee.results.iter().zip(results) {
                                followed.passes(own.term, *target);
                                followed.passes(*target, own.term);
                            }
                        }
                    }
                    Op::Spawn { procedure, arguments, .. } => {
                        followed.is_given(&procedures[procedure.0 as usize], arguments);
                    }
                    _ => {}
                }
            }
            if followed.variables.len() == before {
                return followed;
            }
        }
    }

    fn is_given(&mut self, callee: &Procedure, arguments: &[Term]) {
        if callee.body.is_ok() {
            callee.parameters.iter().zip(arguments).for_each(|(own, argument)| self.passes(*argument, own.term));
        }
    }

    fn has(&self, variable: Term) -> bool {
        self.variables.contains(&variable)
    }

    /// That a value goes to a variable: where its bits matter, so do those of what it comes from.
    fn passes(&mut self, from: Term, to: Term) {
        if self.has(to) {
            self.comes_from(from);
        }
    }

    fn comes_from(&mut self, value: Term) {
        match value.op() {
            TermOp::Ite | TermOp::FpNeg | TermOp::FpAbs | TermOp::FpToFp(..) => {
                value.args().iter().for_each(|part| deep(|| self.comes_from(*part)));
            }
            _ if value.name().is_some() && format_of(value.sort()).is_some() => {
                self.variables.insert(value);
            }
            _ => {}
        }
    }

    /// The variables that are put in beside these.
    fn beside(&self, variables: &[Variable]) -> Vec<Variable> {
        let beside = |variable: &Variable| {
            let bits = bits_of_variable(variable.term).filter(|_| self.has(variable.term))?;
            let own = Variable::internal(bits.name()?, bits.sort());
            Some(Variable { thread_local: variable.thread_local, ..own })
        };
        variables.iter().filter_map(beside).collect()
    }

    fn rewrite(&self, procedure: &mut Procedure, signatures: &[Signature]) {
        let name = procedure.name;
        let Ok(cfa) = std::mem::replace(&mut procedure.body, Err(ir::Model::Unknown)) else { return };
        let (mut locations, edges, entry, exit) = cfa.into_parts();
        let mut open = Open { name, variables: Vec::new(), used: 0 };
        let mut made = Vec::new();
        for mut edge in edges {
            open.used = 0;
            let mut havocked = self.change(&mut edge.op, signatures, &mut open);
            havocked.extend(open.variables[..open.used].iter().copied());
            if !havocked.is_empty() {
                locations.push(Location { kind: LocationKind::Plain, label: None, place: edge.place });
                let between = LocId(locations.len() as u32 - 1);
                let op = Op::Havoc(havocked);
                made.push(Edge { op, to: between, ..edge.clone() });
                edge.from = between;
            }
            made.push(edge);
        }
        procedure.body = Ok(Cfa::new(locations, made, entry, exit));
        for list in [&mut procedure.parameters, &mut procedure.results, &mut procedure.locals] {
            let more = self.beside(list);
            list.extend(more);
        }
        let internal = |term: &Term| Some(Variable::internal(term.name()?, term.sort()));
        procedure.locals.extend(open.variables.iter().filter_map(internal));
    }

    /// Changes an operation, and gives the variables that must become arbitrary before.
    fn change(&self, op: &mut Op, signatures: &[Signature], open: &mut Open) -> Vec<Term> {
        let mut before = Vec::new();
        match op {
            Op::Assign(pairs) => {
                let mut more = Vec::new();
                let given: FxHashSet<Term> = pairs.iter().map(|(to, _)| *to).collect();
                for (to, from) in pairs.iter().filter(|(to, _)| self.has(*to)) {
                    if let Some(bits) = bits_of_variable(*to).filter(|bits| !given.contains(bits)) {
                        more.push((bits, self.bits(*from, open)));
                    }
                }
                // What is said of constants does not always matter.
                pairs.retain(|(to, _)| self.floats.get(to).is_none_or(|variable| self.has(*variable)));
                pairs.extend(more);
            }
            Op::Havoc(variables) => {
                let more: Vec<Term> =
                    variables.iter().filter(|v| self.has(**v)).filter_map(|v| bits_of_variable(*v)).collect();
                variables.extend(more);
            }
            Op::Call { procedure, arguments, results } => {
                let signature = &signatures[procedure.0 as usize];
                self.give(signature, arguments, open);
                let targets = results.clone();
                let with_bits = signature.results.iter().copied().chain(std::iter::repeat(false));
                for (target, has) in targets.into_iter().zip(with_bits) {
                    let bits = bits_of_variable(target).filter(|_| self.has(target));
                    if has { results.extend(bits) } else { before.extend(bits) }
                }
            }
            Op::Spawn { procedure, arguments, .. } => self.give(&signatures[procedure.0 as usize], arguments, open),
            Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => {}
        }
        before
    }

    fn give(&self, signature: &Signature, arguments: &mut Vec<Term>, open: &mut Open) {
        let values: Vec<Term> = signature
            .parameters
            .iter()
            .zip(arguments.iter())
            .filter(|(has, _)| **has)
            .map(|(_, value)| *value)
            .collect();
        arguments.extend(values.into_iter().map(|value| self.bits(value, open)));
    }

    /// The bits that a value has if it is a NaN.
    fn bits(&self, value: Term, open: &mut Open) -> Term {
        let Some(format) = format_of(value.sort()) else { return value };
        let (width, sign) = (format.width(), build::bv(format.width(), 1 << (format.width() - 1)));
        match (value.op(), value.args()) {
            _ if self.has(value) => bits_of_variable(value).unwrap_or(value),
            (TermOp::Ite, [condition, a, b]) => {
                let (a, b) = deep(|| (self.bits(*a, open), self.bits(*b, open)));
                build::ite(*condition, a, b)
            }
            (TermOp::Load(_), [memory, pointer]) => build::load(Sort::bv(width), *memory, *pointer),
            (TermOp::FpFromBits(_), [bits]) => *bits,
            (TermOp::FpNeg, [x]) => build::bv_xor(deep(|| self.bits(*x, open)), sign),
            (TermOp::FpAbs, [x]) => build::bv_and(deep(|| self.bits(*x, open)), build::bv_not(sign)),
            (TermOp::FpToFp(..), [x]) => match format_of(x.sort()) {
                Some(from) if from != FloatFormat::EXTENDED && format != FloatFormat::EXTENDED => {
                    converted(from, format, deep(|| self.bits(*x, open)))
                }
                _ => open.quiet(format),
            },
            _ => open.quiet(format),
        }
    }
}

/// The bits of a NaN in another format: its sign and as much of its payload as there is room for. It is quiet.
fn converted(from: FloatFormat, to: FloatFormat, bits: Term) -> Term {
    let (old, new) = (from.significand - 1, to.significand - 1);
    let sign = build::extract(from.width() - 1, from.width() - 1, bits);
    let payload = build::extract(old - 1, old - old.min(new), bits);
    let payload = match new.checked_sub(old) {
        Some(missing) if missing > 0 => build::concat(payload, build::bv(missing, 0)),
        _ => payload,
    };
    let exponent = build::bv(to.exponent, (1 << to.exponent) - 1);
    build::bv_or(build::concat(sign, build::concat(exponent, payload)), build::bv(to.width(), ones(to).1))
}

/// Variables of a procedure that become arbitrary before an operation.
struct Open {
    name: source::Symbol,
    variables: Vec<Term>,
    used: usize,
}

impl Open {
    /// Any quiet NaN.
    fn quiet(&mut self, format: FloatFormat) -> Term {
        let width = format.width();
        let fits = |variable: &Term| variable.sort() == Sort::bv(width);
        let at = match self.variables[self.used..].iter().position(fits) {
            Some(at) => self.used + at,
            None => {
                let name = format!("{}::$nan{}", self.name, self.variables.len());
                self.variables.push(Term::var(name.as_str(), Sort::bv(width)));
                self.variables.len() - 1
            }
        };
        self.variables.swap(self.used, at);
        self.used += 1;
        let (exponent, quiet) = ones(format);
        build::bv_or(self.variables[self.used - 1], build::bv(width, exponent | quiet))
    }
}
