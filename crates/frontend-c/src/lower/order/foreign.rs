//! What calls do: those of the program's own functions by their summaries, those of the library by what they are given.

use super::frame::Frame;
use super::{Access, Base, Class, Effects};
use crate::MissingBodies;
use crate::hir::{ExprId, ExprKind, FunctionId};
use crate::lower::link::In;
use crate::lower::reach::Target;
use crate::syntax::deep;

/// What functions of the library keep between calls: what it is, who reads it, who writes it.
pub(super) const STATES: [(&str, &[&str], &[&str]); 7] = [
    ("the text that strtok keeps", &[], &["strtok"]),
    ("the text that asctime and ctime give", &[], &["asctime", "ctime"]),
    ("the time that gmtime and localtime give", &[], &["gmtime", "localtime", "ctime"]),
    ("the text that strerror gives", &[], &["strerror", "strsignal"]),
    ("the environment", &["getenv", "secure_getenv"], &["setenv", "putenv", "unsetenv", "clearenv"]),
    ("the locale", &["localeconv"], &["setlocale"]),
    ("how signals are handled", &["raise"], &["signal", "sigaction"]),
];

impl Frame<'_, '_, '_> {
    pub fn call(&self, target: In<FunctionId>, arguments: &[ExprId], effects: &mut Effects) {
        if self.is_users(target) {
            let Some(summary) = self.analysis.summaries.get(&target) else { return };
            return self.take(&summary.effects, arguments, effects);
        }
        if matches!(self.analysis.link.target(target), Target::Missing) {
            self.take(&self.analysis.promised(target), arguments, effects);
        }
        let found = self.analysis.link.function(target);
        match self.analysis.link.target(target) {
            Target::Missing
                if self.analysis.missing != MissingBodies::Havoc && self.analysis.link.contracts(target).is_empty() =>
            {
                effects.may_stop |= found.is_noreturn;
                return;
            }
            Target::Unsupported(_) => return,
            _ => {}
        }
        self.foreign_call(found.name.as_str(), found.is_noreturn, target, arguments, effects);
    }

    /// Adds what a function does that is called with these arguments.
    fn take(&self, does: &Effects, arguments: &[ExprId], effects: &mut Effects) {
        effects.may_stop |= does.may_stop;
        effects.may_fail |= does.may_fail;
        effects.synchronises |= does.synchronises;
        for access in &does.accesses {
            let bases = self.substituted(access.base, arguments);
            effects.accesses.extend(bases.into_iter().map(|base| Access { base, ..*access }));
        }
    }

    /// A call of a function of the library, or of one without a body that may write to what it is given.
    fn foreign_call(
        &self,
        name: &str,
        is_noreturn: bool,
        target: In<FunctionId>,
        arguments: &[ExprId],
        effects: &mut Effects,
    ) {
        const FAILING: [&str; 9] = [
            "assert",
            "__assert",
            "__assert_fail",
            "__assert_rtn",
            "__assert_func",
            "__VERIFIER_assert",
            "__CPROVER_assert",
            "reach_error",
            "__VERIFIER_error",
        ];
        const STOPPING: [&str; 12] = [
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "longjmp",
            "siglongjmp",
            "__VERIFIER_assume",
            "__CPROVER_assume",
            "__builtin_assume",
            "pthread_exit",
            "thrd_exit",
        ];
        const SYNCHRONISING: [&str; 4] = ["pthread_", "sem_", "mtx_", "cnd_"];
        effects.may_fail |= FAILING.contains(&name);
        effects.may_stop |= STOPPING.contains(&name) || is_noreturn && !FAILING.contains(&name);
        if SYNCHRONISING.iter().any(|prefix| name.starts_with(prefix)) {
            effects.synchronises |= self.analysis.threaded;
            return;
        }
        if FAILING.contains(&name) {
            return;
        }
        for (state, (_, readers, writers)) in STATES.iter().enumerate() {
            if let Some(writes) = writers.contains(&name).then_some(true).or(readers.contains(&name).then_some(false)) {
                let (base, class) = (Base::State(state), Class::Any);
                effects.accesses.insert(Access { base, class, writes, is_direct: false, is_exact: false });
            }
        }
        let checks = self.analysis.checks;
        let types = self.analysis.types(target.unit);
        let declared = types.function_type(self.analysis.link.function(target).ty);
        for (n, argument) in arguments.iter().enumerate() {
            if let Some(function) = self.function(*argument) {
                self.callback(function, effects);
                continue;
            }
            let parameter = declared.and_then(|ty| ty.parameters.get(n));
            let (types, ty) = parameter.map_or((self.types, self.body[*argument].ty), |ty| (types, *ty));
            let Some(pointee) = types.pointee(ty) else { continue };
            effects.may_fail |= checks.memory() || checks.free;
            if types.is_function(pointee) {
                self.analysis.reached.address_taken.iter().for_each(|function| self.callback(*function, effects));
                continue;
            }
            if crate::lower::library::is_stream(types, pointee) {
                continue;
            }
            self.access_through(*argument, false, effects);
            let is_output = name.contains("printf") && parameter.is_none();
            if !pointee.is_const() && !is_output {
                self.access_through(*argument, true, effects);
            }
        }
    }

    /// The function that an argument is.
    fn function(&self, argument: ExprId) -> Option<In<FunctionId>> {
        match self.body[argument].kind {
            ExprKind::Function(id) => Some(self.analysis.link.definition(In { unit: self.unit, id })),
            ExprKind::Cast(_, operand) => deep(|| self.function(operand)),
            _ => None,
        }
    }

    /// A function that is called with what nobody knows.
    fn callback(&self, function: In<FunctionId>, effects: &mut Effects) {
        let Some(summary) = self.analysis.summaries.get(&function) else { return };
        let unknown = |access: &Access| match access.base {
            Base::Parameter(_) => Access { base: Base::Unknown, ..*access },
            _ => *access,
        };
        effects.accesses.extend(summary.effects.accesses.iter().map(unknown));
        effects.may_stop |= summary.effects.may_stop;
        effects.may_fail |= summary.effects.may_fail;
        effects.synchronises |= summary.effects.synchronises;
    }
}
