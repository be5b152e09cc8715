//! Values that the standard leaves open, and whether a program can see them.
//!
//! C says of the results of `strcmp` and its like only whether they are less than, equal to or greater than zero, and of `isalpha` and its
//! like only whether they are zero. Most programs look at nothing else. In these the results are plain numbers, so
//! that nothing is nondeterministic that does not matter.

use crate::hir::{
    Body, Callee, CastKind, CompareOp, ExprId, ExprKind, FunctionBody, FunctionId, PlaceId, PlaceKind, StmtKind,
};
use crate::lower::link::{In, Link};
use crate::lower::reach::Reached;
use rustc_hash::FxHashSet;
use source::Symbol;

/// Functions whose result has only a sign.
const ORDERS: &str = "
    strcmp strncmp memcmp bcmp strcasecmp strncasecmp strcoll wcscmp wcsncmp wmemcmp wcscasecmp wcsncasecmp wcscoll";

/// Functions whose result is zero or not.
const QUESTIONS: &str = "
    isalpha isdigit isalnum isupper islower isspace isblank isxdigit iscntrl isprint isgraph ispunct isascii iswalpha
    iswdigit iswalnum iswupper iswlower iswspace iswblank iswxdigit iswcntrl iswprint iswgraph iswpunct";

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// Whether a part of the program that is not the library can see more of such a result than C fixes.
pub(in crate::lower) fn sees_open_values(
    link: &Link<'_>,
    reached: &Reached,
    is_library: impl Fn(usize) -> bool,
) -> bool {
    let is_open = |name: &str| is_among(ORDERS, name) || is_among(QUESTIONS, name);
    let is_used = reached.functions.iter().any(|function| is_open(link.function(*function).name.as_str()));
    let addressed = || reached.address_taken.iter().any(|function| is_open(link.function(*function).name.as_str()));
    let bodies = || reached.functions.iter().filter(|function| !is_library(function.unit));
    is_used
        && (addressed()
            || bodies().any(|function| link.body(*function).is_some_and(|body| sees_more(link, function.unit, body))))
}

/// Whether a body uses such a result other than for a comparison with zero.
fn sees_more(link: &Link<'_>, unit: usize, body: &Body) -> bool {
    let is_zero = |expr: ExprId| matches!(body[expr].kind, ExprKind::Int(0));
    let (mut only_zero, mut only_sign) = (FxHashSet::default(), FxHashSet::default());
    for expr in &body.exprs {
        match expr.kind {
            ExprKind::Cast(CastKind::IntToBool | CastKind::ToVoid, operand) => {
                only_zero.insert(operand);
            }
            ExprKind::Compare(op, left, right) if is_zero(left) || is_zero(right) => {
                let operand = if is_zero(right) { left } else { right };
                let of = if matches!(op, CompareOp::Eq | CompareOp::Ne) { &mut only_zero } else { &mut only_sign };
                of.insert(operand);
            }
            _ => {}
        }
    }
    only_zero.extend(body.stmts.iter().filter_map(|stmt| match stmt.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    }));
    body.exprs.iter().enumerate().any(|(at, expr)| {
        let ExprKind::Call { callee: Callee::Direct(id), .. } = expr.kind else { return false };
        let function = link.function(link.definition(In { unit, id }));
        let (name, at) = (function.name.as_str(), ExprId(at as u32));
        let is_order = is_among(ORDERS, name) && !only_zero.contains(&at) && !only_sign.contains(&at);
        is_order || is_among(QUESTIONS, name) && !only_zero.contains(&at)
    })
}

/// What is known of the functions that may be given to `qsort` and `bsearch`.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Comparators {
    /// None of them changes anything that outlives its call, so that nobody can tell how often they are called.
    pub are_pure: bool,
    /// One of them can come to something that must not be reached, so that it matters what they are called with.
    pub can_fail: bool,
}

/// What a program is asked that a comparator may decide.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Asked<'a> {
    /// Labels that must not be reached.
    pub labels: &'a [Symbol],
    /// Whether calls of functions are watched.
    pub calls: bool,
}

/// Functions without effects that comparators call.
const PURE: &str = "
    strlen strnlen strcmp strncmp memcmp strcasecmp strncasecmp strcoll wcscmp wcsncmp abs labs llabs tolower toupper fabs isalpha isdigit
    isupper islower isspace isalnum wcslen strchr strrchr";
const FAILS: &str = "abort reach_error __VERIFIER_error __assert_fail __VERIFIER_assert assert __assert";

impl Comparators {
    /// Of those functions whose address is taken and that have as many parameters.
    pub fn new(link: &Link<'_>, reached: &Reached, asked: Asked<'_>) -> Comparators {
        let mut comparators = Comparators { are_pure: true, can_fail: false };
        let mut seen = FxHashSet::default();
        for function in &reached.address_taken {
            let ty = link.units[function.unit].types.function_type(link.function(*function).ty);
            if ty.is_none_or(|ty| !ty.is_prototype || (2..=3).contains(&ty.parameters.len())) {
                comparators.look_at(link, *function, asked, &mut seen);
            }
        }
        comparators
    }

    fn look_at(
        &mut self,
        link: &Link<'_>,
        function: In<FunctionId>,
        asked: Asked<'_>,
        seen: &mut FxHashSet<In<FunctionId>>,
    ) {
        let function = link.definition(function);
        if !seen.insert(function) {
            return;
        }
        let found = link.function(function);
        let name = found.name.as_str();
        if is_among(FAILS, name) {
            self.can_fail = true;
            return;
        }
        if is_among(PURE, name) {
            return;
        }
        let FunctionBody::Defined(body) = &found.body else {
            self.are_pure = false;
            return;
        };
        self.can_fail |= body.labels.iter().any(|label| label.name.is_some_and(|name| asked.labels.contains(&name)));
        let writes = body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Call { .. } if asked.calls => true,
            ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => !is_local(body, *place),
            ExprKind::Call { callee: Callee::Indirect { .. }, .. } | ExprKind::VaList(_) | ExprKind::Unsupported(_) => {
                true
            }
            ExprKind::Builtin(builtin, _) => !crate::lower::effects::is_pure(*builtin),
            _ => false,
        });
        let is_odd = |kind: &StmtKind| matches!(kind, StmtKind::Unsupported(_));
        let cleans = body.locals.iter().any(|local| local.cleanup.is_some());
        self.are_pure &= !(writes || cleans || body.stmts.iter().any(|stmt| is_odd(&stmt.kind)));
        for expr in &body.exprs {
            if let ExprKind::Call { callee: Callee::Direct(id), .. } = expr.kind {
                self.look_at(link, In { unit: function.unit, id }, asked, seen);
            }
        }
    }
}

/// Whether a place is part of a local variable.
fn is_local(body: &Body, place: PlaceId) -> bool {
    let mut at = place;
    loop {
        match body[at].kind {
            PlaceKind::Field { base, .. } => at = base,
            PlaceKind::Element { array, .. } => at = array,
            PlaceKind::Local(_) | PlaceKind::Initialised { .. } => return true,
            _ => return false,
        }
    }
}
