//! Names in a script: each variable, function and sort gets one of its own, and is declared.

use crate::symbol::is_bare;
use crate::visit::{bound, post_order};
use crate::{Function, Op, Sort, SortKind, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Words that mean something already. Names of the theories' functions would be overloaded, which not all solvers take.
const RESERVED: &str = "! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING lambda \
    Bool Int Real BitVec Array FloatingPoint RoundingMode Float16 Float32 Float64 Float128 Ptr32 Ptr64 Mem32 Mem64 \
    true false not => and or xor = distinct ite + - * / div mod abs <= < >= > divisible to_real to_int is_int \
    concat extract repeat zero_extend sign_extend rotate_left rotate_right bvnot bvneg bvand bvor bvxor bvnand bvnor \
    bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle \
    bvsgt bvsge bvcomp bv2nat bv2int int2bv ubv_to_int sbv_to_int int_to_bv fp to_fp to_fp_unsigned NaN select store \
    const RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive roundTowardNegative \
    roundTowardZero NaN object-at Set String Seq RegLan List union intersection member subset";

/// The names in use.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    variables: FxHashMap<Term, String>,
    functions: FxHashMap<Function, String>,
    sorts: FxHashMap<(Symbol, usize), String>,
    elements: BTreeMap<(Sort, u64), String>,
    /// What the script declares, in order.
    lines: Vec<String>,
    pointer_widths: BTreeSet<u32>,
    memory_widths: BTreeSet<u32>,
    /// Functions on memory, with their declarations.
    memory_functions: BTreeMap<String, String>,
}

impl Names {
    /// Names for all that occurs in the terms.
    pub(super) fn of(terms: &[Term]) -> Names {
        let mut names = Names::default();
        let order = post_order(terms.iter().copied());
        let bound_variables: FxHashSet<Term> = order.iter().flat_map(|t| bound(*t).iter().copied()).collect();
        let free: FxHashSet<Term> = crate::free::variables(terms.iter().copied()).into_iter().collect();
        for &term in &order {
            names.use_sort(term.sort());
            bound(term).iter().for_each(|v| names.use_sort(v.sort()));
            match term.op() {
                Op::Var { .. } => names.variable_named(term, free.contains(&term)),
                Op::Const(value) => names.use_value(value),
                Op::Apply(function) => names.use_function(function),
                Op::Load(_) | Op::MemStore | Op::MemCopy | Op::MemFill | Op::ObjectAt => names.use_memory(term),
                _ => {}
            }
        }
        let mut unused: Vec<Term> = bound_variables.into_iter().collect();
        unused.sort_unstable();
        unused.into_iter().for_each(|v| names.variable_named(v, false));
        names
    }

    /// A name that is not taken, as near to the wanted one as can be.
    fn unique(&mut self, wanted: &str) -> String {
        let unfit = |c: char| matches!(c, '|' | '\\') || c.is_control();
        let mut base: String = wanted.chars().map(|c| if unfit(c) { '_' } else { c }).collect();
        // Names of shared parts, of functions on memory, and what solvers keep for themselves.
        let kept = ["?", ".", "@", "fp.", "mem.", "mem32.", "mem64."];
        if base.is_empty() || kept.iter().any(|start| base.starts_with(start)) {
            base.insert(0, '$');
        }
        let is_free =
            |name: &String| !self.taken.contains(name) && !RESERVED.split_whitespace().any(|word| word == name);
        let numbered = (1..).map(|n| format!("{base}!{n}"));
        let Some(name) = std::iter::once(base.clone()).chain(numbered).find(is_free) else { return base };
        self.taken.insert(name.clone());
        let bare = |c: char| is_bare(c) || c == '@';
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(bare) {
            format!("|{name}|")
        } else {
            name
        }
    }

    fn variable_named(&mut self, term: Term, declare: bool) {
        let Op::Var { name, instance, sort } = term.op() else { return };
        if self.variables.contains_key(&term) {
            return;
        }
        let wanted = if *instance == 0 { name.to_string() } else { format!("{name}@{instance}") };
        let name = self.unique(&wanted);
        if declare {
            self.lines.push(format!("(declare-fun {name} () {})", self.sort(*sort)));
        }
        self.variables.insert(term, name);
    }

    fn use_function(&mut self, function: &Function) {
        if self.functions.contains_key(function) {
            return;
        }
        function.parameters.iter().for_each(|s| self.use_sort(*s));
        self.use_sort(function.result);
        let name = self.unique(function.name.as_str());
        let parameters: Vec<String> = function.parameters.iter().map(|s| self.sort(*s)).collect();
        let line = format!("(declare-fun {name} ({}) {})", parameters.join(" "), self.sort(function.result));
        self.lines.push(line);
        self.functions.insert(function.clone(), name);
    }

    fn use_sort(&mut self, sort: Sort) {
        match sort.kind() {
            SortKind::Array(index, element) => {
                self.use_sort(*index);
                self.use_sort(*element);
            }
            SortKind::Uninterpreted(name, arguments) => {
                arguments.iter().for_each(|s| self.use_sort(*s));
                let key = (*name, arguments.len());
                if !self.sorts.contains_key(&key) {
                    let name = self.unique(name.as_str());
                    self.lines.push(format!("(declare-sort {name} {})", arguments.len()));
                    self.sorts.insert(key, name);
                }
            }
            SortKind::Pointer(width) => _ = self.pointer_widths.insert(*width),
            SortKind::Memory(width) => {
                self.pointer_widths.insert(*width);
                self.memory_widths.insert(*width);
            }
            _ => {}
        }
    }

    fn use_value(&mut self, value: &Value) {
        match value {
            Value::Element(sort, n) => {
                self.use_sort(*sort);
                if !self.elements.contains_key(&(*sort, *n)) {
                    let name = self.unique(&format!("{sort}!{n}"));
                    self.lines.push(format!("(declare-fun {name} () {})", self.sort(*sort)));
                    self.elements.insert((*sort, *n), name);
                }
            }
            Value::Array(array) => {
                self.use_sort(array.index);
                self.use_value(&array.default);
                array.entries.iter().for_each(|(index, element)| {
                    self.use_value(index);
                    self.use_value(element);
                });
            }
            _ => {}
        }
    }

    fn use_memory(&mut self, term: Term) {
        term.args().iter().for_each(|a| self.use_sort(a.sort()));
        let name = memory_function(term);
        let parameters: Vec<String> = term.args().iter().map(|a| self.sort(a.sort())).collect();
        let line = format!("(declare-fun {name} ({}) {})", parameters.join(" "), self.sort(term.sort()));
        self.memory_functions.insert(name, line);
    }

    pub(super) fn variable(&self, term: Term) -> &str {
        &self.variables[&term]
    }

    pub(super) fn function(&self, function: &Function) -> &str {
        &self.functions[function]
    }

    pub(super) fn element(&self, sort: Sort, n: u64) -> &str {
        &self.elements[&(sort, n)]
    }

    /// The sort as SMT-LIB has it.
    pub(super) fn sort(&self, sort: Sort) -> String {
        match sort.kind() {
            SortKind::Array(index, element) => format!("(Array {} {})", self.sort(*index), self.sort(*element)),
            SortKind::Pointer(width) => format!("Ptr{width}"),
            SortKind::Memory(width) => format!("Mem{width}"),
            SortKind::Uninterpreted(name, arguments) => {
                let known = self.sorts.get(&(*name, arguments.len()));
                let name = known.cloned().unwrap_or_else(|| name.to_string());
                if arguments.is_empty() {
                    return name;
                }
                let arguments: Vec<String> = arguments.iter().map(|s| self.sort(*s)).collect();
                format!("({name} {})", arguments.join(" "))
            }
            _ => sort.to_string(),
        }
    }

    /// The lines that declare all names, in an order in which they can be read.
    pub(super) fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for width in &self.pointer_widths {
            lines.push(format!("(define-sort Ptr{width} () (_ BitVec {}))", crate::OBJECT_WIDTH + width));
        }
        lines.extend(self.memory_widths.iter().map(|width| format!("(declare-sort Mem{width} 0)")));
        // Sorts come before what has them: every name follows those it mentions.
        lines.extend(self.lines.iter().cloned());
        lines.extend(self.memory_functions.values().cloned());
        let mut of_sort: BTreeMap<Sort, Vec<&str>> = BTreeMap::new();
        for ((sort, _), name) in &self.elements {
            of_sort.entry(*sort).or_default().push(name);
        }
        let several = of_sort.values().filter(|elements| elements.len() > 1);
        lines.extend(several.map(|elements| format!("(assert (distinct {}))", elements.join(" "))));
        lines
    }
}

/// The name of the function that stands for an operator on memory, one for each combination of sorts.
pub(super) fn memory_function(term: Term) -> String {
    let tag = |sort: Sort| match sort.kind() {
        SortKind::BitVec(width) => format!("bv{width}"),
        SortKind::Float(format) => format!("fp{}_{}", format.exponent, format.significand),
        SortKind::Pointer(width) => format!("ptr{width}"),
        _ => sort.to_string(),
    };
    let of = |n: usize| match term.args()[n].sort().kind() {
        SortKind::Memory(width) => format!("mem{width}"),
        _ => tag(term.args()[n].sort()),
    };
    match term.op() {
        Op::Load(sort) => format!("{}.load.{}", of(0), tag(*sort)),
        Op::MemStore => format!("{}.store.{}", of(0), of(2)),
        Op::MemCopy => format!("{}.copy", of(0)),
        Op::MemFill => format!("{}.fill", of(0)),
        _ => format!("mem.object-at.{}", of(2)),
    }
}
