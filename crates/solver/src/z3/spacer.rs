//! Z3's Horn solver on a chain of formulas.
//!
//! For a_1 … a_n it looks for i_1 … i_(n-1) with a_1 ⇒ i_1, i_k ∧ a_(k+1) ⇒ i_(k+1) and i_(n-1) ∧ a_n ⇒ false, each i_k
//! over given variables: the interpretations of predicates of a Horn system that is one chain. Transformations that
//! would merge the predicates are turned off, since it is the predicates that are wanted.

use super::context::{Ast, Fixedpoint, FuncDecl, Params, Z3Error};
use super::translate::Translator;
use super::{Z3, readback};
use crate::{Limits, Unknown, Unsupported};
use rustc_hash::FxHashMap;
use term::{Sort, Term};
use z3_sys::*;

/// The chain's interpretations: one for each of `interfaces`, over its variables alone.
///
/// `Ok(None)` if the formulas have a model together.
pub(crate) fn chain(
    z3: &Z3,
    limits: &Limits,
    formulas: &[Term],
    interfaces: &[Vec<Term>],
) -> Result<Option<Vec<Term>>, Unknown> {
    let mut translator = z3.translator.borrow_mut();
    let mut chain = Chain::new(&mut translator, interfaces).map_err(Unknown::Unsupported)?;
    chain.add_rules(formulas).map_err(Unknown::Unsupported)?;
    let (c, engine) = (chain.translator.context().raw(), chain.engine.raw());
    let query = chain.predicates.last().expect("there is a predicate for failure").raw_declaration();
    // SAFETY: all objects belong to the context.
    let run = || unsafe { Z3_fixedpoint_query_relations(c, engine, 1, &query) };
    let (answer, interrupted) = chain.translator.context().clone().watch.run(limits, run);
    match answer {
        Z3_L_FALSE => chain.interpretations().map(Some),
        Z3_L_TRUE => Ok(None),
        _ => Err(interrupted.unwrap_or_else(|| chain.reason())),
    }
}

struct Chain<'a> {
    translator: &'a mut Translator,
    engine: Fixedpoint,
    interfaces: &'a [Vec<Term>],
    /// One for each interface, and one without arguments for failure.
    predicates: Vec<FuncDecl>,
}

impl<'a> Chain<'a> {
    fn new(translator: &'a mut Translator, interfaces: &'a [Vec<Term>]) -> Result<Chain<'a>, Unsupported> {
        let context = translator.context().clone();
        // SAFETY, for all calls here: all objects belong to the context.
        let engine = Fixedpoint::own(&context, unsafe { Z3_mk_fixedpoint(context.raw()) })?;
        let params = Params::new(&context)?;
        params.word(c"engine", c"spacer");
        for merging in [c"xform.inline_linear", c"xform.inline_eager", c"xform.slice", c"xform.tail_simplifier_pve"] {
            params.flag(merging, false);
        }
        unsafe { Z3_fixedpoint_set_params(context.raw(), engine.raw(), params.raw()) };
        let mut predicates = Vec::new();
        for interface in interfaces.iter().map(Vec::as_slice).chain([&[][..]]) {
            let sorts: Vec<Sort> = interface.iter().map(|variable| variable.sort()).collect();
            let predicate = translator.fresh_predicate(&sorts)?;
            unsafe { Z3_fixedpoint_register_relation(context.raw(), engine.raw(), predicate.raw_declaration()) };
            predicates.push(predicate);
        }
        match context.failed() {
            Some(error) => Err(error.into()),
            None => Ok(Chain { translator, engine, interfaces, predicates }),
        }
    }

    fn add_rules(&mut self, formulas: &[Term]) -> Result<(), Unsupported> {
        let context = self.translator.context().clone();
        let c = context.raw();
        for (k, formula) in formulas.iter().enumerate() {
            let mut body = vec![self.translator.term(*formula)?];
            if k > 0 {
                body.push(self.applied(k - 1)?);
            }
            let head = self.applied(k)?;
            let interfaces = self.interfaces;
            let at = |k: Option<usize>| k.and_then(|k| interfaces.get(k)).into_iter().flatten().copied();
            let mut variables: Vec<Term> =
                term::free::variables([*formula]).into_iter().chain(at(k.checked_sub(1))).chain(at(Some(k))).collect();
            variables.sort_unstable();
            variables.dedup();
            let bound: Vec<Ast> = variables.iter().map(|v| self.translator.term(*v)).collect::<Result<_, _>>()?;
            let raw: Vec<Z3_ast> = body.iter().map(Ast::raw).collect();
            // SAFETY: all objects belong to the context; the arrays have as many elements as the calls say.
            unsafe {
                let body = Ast::own(&context, Z3_mk_and(c, raw.len() as u32, raw.as_ptr()))?;
                let mut rule = Ast::own(&context, Z3_mk_implies(c, body.raw(), head.raw()))?;
                if !bound.is_empty() {
                    let apps: Option<Vec<Z3_app>> = bound.iter().map(|b| Z3_to_app(c, b.raw())).collect();
                    let apps = apps.ok_or_else(|| context.error())?;
                    let forall =
                        Z3_mk_forall_const(c, 0, apps.len() as u32, apps.as_ptr(), 0, std::ptr::null(), rule.raw());
                    rule = Ast::own(&context, forall)?;
                }
                Z3_fixedpoint_add_rule(c, self.engine.raw(), rule.raw(), None);
            }
            if let Some(error) = context.failed() {
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// The k-th predicate applied to its interface's variables.
    fn applied(&mut self, k: usize) -> Result<Ast, Unsupported> {
        let interface: &[Term] = self.interfaces.get(k).map_or(&[], Vec::as_slice);
        let args: Vec<Ast> = interface.iter().map(|v| self.translator.term(*v)).collect::<Result<_, _>>()?;
        let args: Vec<Z3_ast> = args.iter().map(Ast::raw).collect();
        let context = self.translator.context();
        // SAFETY: all objects belong to the context; the array has as many elements as the call says.
        let made =
            unsafe { Z3_mk_app(context.raw(), self.predicates[k].raw_declaration(), args.len() as u32, args.as_ptr()) };
        Ok(Ast::own(context, made)?)
    }

    fn reason(&self) -> Unknown {
        let context = self.translator.context();
        // SAFETY: all objects belong to the context; the text is copied at once.
        Unknown::Incomplete(unsafe { context.text(Z3_fixedpoint_get_reason_unknown(context.raw(), self.engine.raw())) })
    }

    /// Reads the answer, a conjunction of equivalences `forall x. P(x) = formula`. A predicate that is not mentioned
    /// is never reached from what is left after simplification, so it is false.
    fn interpretations(&mut self) -> Result<Vec<Term>, Unknown> {
        let unread = || Unknown::Incomplete("an interpolant that cannot be read".into());
        let context = self.translator.context().clone();
        // SAFETY: all objects belong to the context.
        let answer = Ast::own(&context, unsafe { Z3_fixedpoint_get_answer(context.raw(), self.engine.raw()) })
            .map_err(|Z3Error(text)| Unknown::Incomplete(text))?;
        let mut found: FxHashMap<Z3_func_decl, Term> = FxHashMap::default();
        let mut parts = vec![answer];
        while let Some(part) = parts.pop() {
            match super::values::application(self.translator, &part) {
                Some((DeclKind::And, args)) => parts.extend(args),
                Some((DeclKind::True, _)) => {}
                _ => {
                    let (predicate, formula) = self.equivalence(&part).ok_or_else(unread)?;
                    found.insert(predicate, formula);
                }
            }
        }
        let interpreted = self.interfaces.iter().zip(&self.predicates);
        Ok(interpreted
            .map(|(_, p)| found.get(&p.raw_declaration()).copied().unwrap_or_else(term::build::falsehood))
            .collect())
    }

    /// The predicate and what it is equivalent to, over the predicate's variables.
    fn equivalence(&self, part: &Ast) -> Option<(Z3_func_decl, Term)> {
        let context = self.translator.context();
        let c = context.raw();
        // SAFETY: all objects belong to the context and are counted at once.
        let body = unsafe {
            if Z3_get_ast_kind(c, part.raw()) == AstKind::Quantifier {
                Ast::own(context, Z3_get_quantifier_body(c, part.raw())).ok()?
            } else {
                part.clone()
            }
        };
        let (DeclKind::Eq | DeclKind::Iff, sides) = super::values::application(self.translator, &body)? else {
            return None;
        };
        let [left, right] = &sides[..] else { return None };
        let declaration = |ast: &Ast| {
            // SAFETY: as above.
            unsafe { Z3_is_app(c, ast.raw()).then(|| Z3_get_app_decl(c, Z3_to_app(c, ast.raw())?)).flatten() }
        };
        for (head, formula) in [(left, right), (right, left)] {
            let Some(predicate) = declaration(head) else { continue };
            let Some(k) = self.predicates.iter().position(|p| p.raw_declaration() == predicate) else { continue };
            let interface: &[Term] = self.interfaces.get(k).map_or(&[], Vec::as_slice);
            let (_, args) = super::values::application(self.translator, head)?;
            let mut bound = vec![None; args.len()];
            for (arg, variable) in args.iter().zip(interface) {
                // SAFETY: as above; only a bound variable has an index.
                let index = unsafe {
                    (Z3_get_ast_kind(c, arg.raw()) == AstKind::Var).then(|| Z3_get_index_value(c, arg.raw()))?
                };
                *bound.get_mut(index as usize)? = Some(*variable);
            }
            let bound: Vec<Term> = bound.into_iter().collect::<Option<_>>()?;
            return Some((predicate, readback::term(self.translator, formula, &bound)?));
        }
        None
    }
}
