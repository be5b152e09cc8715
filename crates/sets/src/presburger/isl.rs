//! The C library isl, behind types that free what they own and turn every failure into an error.
//!
//! Invariants: an object keeps its context alive; objects and contexts stay in their thread (`Rc`), since isl counts
//! references without locks; a function gets only objects of one context, which [`Context::owned`] and the callers in
//! `presburger` see to. What isl calls `take` consumes an [`Owned`], `keep` borrows it, `give` returns one.

use crate::Stop;
use limits::{Exceeded, Limits};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often limits are looked at while isl works.
const PERIOD: Duration = Duration::from_millis(10);

macro_rules! opaque {
    ($($name:ident)*) => { $( #[repr(C)] pub struct $name { _private: [u8; 0] } )* };
}
opaque! { Ctx Space LocalSpace Set BasicSet BasicSetList Linear LinearList Val Point Aff }

/// `isl_dim_type`
pub mod dim {
    pub const PARAM: std::ffi::c_int = 1;
    pub const IN: std::ffi::c_int = 2;
    pub const SET: std::ffi::c_int = 3;
    pub const DIV: std::ffi::c_int = 4;
}

/// `ISL_ON_ERROR_CONTINUE`: errors are reported by results, and nothing is printed.
const CONTINUE: c_int = 1;

unsafe extern "C" {
    fn isl_ctx_alloc() -> *mut Ctx;
    fn isl_ctx_free(ctx: *mut Ctx);
    fn isl_ctx_abort(ctx: *mut Ctx);
    fn isl_ctx_last_error_msg(ctx: *mut Ctx) -> *const c_char;
    fn isl_options_set_on_error(ctx: *mut Ctx, value: c_int) -> c_int;

    fn isl_space_set_alloc(ctx: *mut Ctx, params: c_uint, dims: c_uint) -> *mut Space;
    fn isl_set_get_space(set: *mut Set) -> *mut Space;
    fn isl_space_free(space: *mut Space) -> *mut Space;
    fn isl_local_space_from_space(space: *mut Space) -> *mut LocalSpace;
    fn isl_local_space_free(space: *mut LocalSpace) -> *mut LocalSpace;

    fn isl_set_universe(space: *mut Space) -> *mut Set;
    fn isl_set_empty(space: *mut Space) -> *mut Set;
    fn isl_set_copy(set: *mut Set) -> *mut Set;
    fn isl_set_free(set: *mut Set) -> *mut Set;
    fn isl_set_union(a: *mut Set, b: *mut Set) -> *mut Set;
    fn isl_set_intersect(a: *mut Set, b: *mut Set) -> *mut Set;
    fn isl_set_subtract(a: *mut Set, b: *mut Set) -> *mut Set;
    fn isl_set_complement(set: *mut Set) -> *mut Set;
    fn isl_set_coalesce(set: *mut Set) -> *mut Set;
    fn isl_set_detect_equalities(set: *mut Set) -> *mut Set;
    fn isl_set_affine_hull(set: *mut Set) -> *mut BasicSet;
    fn isl_set_simple_hull(set: *mut Set) -> *mut BasicSet;
    fn isl_set_from_basic_set(set: *mut BasicSet) -> *mut Set;
    fn isl_set_compute_divs(set: *mut Set) -> *mut Set;
    fn isl_set_add_constraint(set: *mut Set, constraint: *mut Linear) -> *mut Set;
    fn isl_set_insert_dims(set: *mut Set, kind: c_int, first: c_uint, n: c_uint) -> *mut Set;
    fn isl_set_project_out(set: *mut Set, kind: c_int, first: c_uint, n: c_uint) -> *mut Set;
    fn isl_set_move_dims(set: *mut Set, to: c_int, at: c_uint, from: c_int, first: c_uint, n: c_uint) -> *mut Set;
    fn isl_set_involves_dims(set: *mut Set, kind: c_int, first: c_uint, n: c_uint) -> c_int;
    fn isl_set_is_empty(set: *mut Set) -> c_int;
    fn isl_set_plain_is_equal(a: *mut Set, b: *mut Set) -> c_int;
    fn isl_set_is_subset(a: *mut Set, b: *mut Set) -> c_int;
    fn isl_set_sample_point(set: *mut Set) -> *mut Point;
    fn isl_set_n_basic_set(set: *mut Set) -> c_int;
    fn isl_set_get_basic_set_list(set: *mut Set) -> *mut BasicSetList;
    fn isl_basic_set_list_n_basic_set(list: *mut BasicSetList) -> c_int;
    fn isl_basic_set_list_get_basic_set(list: *mut BasicSetList, at: c_int) -> *mut BasicSet;
    fn isl_basic_set_list_free(list: *mut BasicSetList) -> *mut BasicSetList;
    fn isl_basic_set_free(set: *mut BasicSet) -> *mut BasicSet;
    fn isl_basic_set_dim(set: *mut BasicSet, kind: c_int) -> c_int;
    fn isl_basic_set_n_constraint(set: *mut BasicSet) -> c_int;
    fn isl_basic_set_get_div(set: *mut BasicSet, at: c_int) -> *mut Aff;
    fn isl_basic_set_get_constraint_list(set: *mut BasicSet) -> *mut LinearList;
    fn isl_constraint_list_n_constraint(list: *mut LinearList) -> c_int;
    fn isl_constraint_list_get_constraint(list: *mut LinearList, at: c_int) -> *mut Linear;
    fn isl_constraint_list_free(list: *mut LinearList) -> *mut LinearList;

    fn isl_constraint_alloc_equality(space: *mut LocalSpace) -> *mut Linear;
    fn isl_constraint_alloc_inequality(space: *mut LocalSpace) -> *mut Linear;
    fn isl_constraint_free(constraint: *mut Linear) -> *mut Linear;
    fn isl_constraint_is_equality(constraint: *mut Linear) -> c_int;
    fn isl_constraint_set_constant_val(constraint: *mut Linear, value: *mut Val) -> *mut Linear;
    fn isl_constraint_set_coefficient_val(
        constraint: *mut Linear,
        kind: c_int,
        at: c_int,
        value: *mut Val,
    ) -> *mut Linear;
    fn isl_constraint_get_constant_val(constraint: *mut Linear) -> *mut Val;
    fn isl_constraint_get_coefficient_val(constraint: *mut Linear, kind: c_int, at: c_int) -> *mut Val;

    fn isl_aff_get_constant_val(aff: *mut Aff) -> *mut Val;
    fn isl_aff_get_coefficient_val(aff: *mut Aff, kind: c_int, at: c_int) -> *mut Val;
    fn isl_aff_free(aff: *mut Aff) -> *mut Aff;

    fn isl_point_get_coordinate_val(point: *mut Point, kind: c_int, at: c_int) -> *mut Val;
    fn isl_point_free(point: *mut Point) -> *mut Point;

    fn isl_val_int_from_chunks(ctx: *mut Ctx, n: usize, size: usize, chunks: *const c_void) -> *mut Val;
    fn isl_val_neg(value: *mut Val) -> *mut Val;
    fn isl_val_sgn(value: *mut Val) -> c_int;
    fn isl_val_n_abs_num_chunks(value: *mut Val, size: usize) -> c_int;
    fn isl_val_get_abs_num_chunks(value: *mut Val, size: usize, chunks: *mut c_void) -> c_int;
    fn isl_val_get_den_val(value: *mut Val) -> *mut Val;
    fn isl_val_free(value: *mut Val) -> *mut Val;
}

/// What isl frees.
pub trait Object {
    unsafe fn free(object: *mut Self);
}

macro_rules! objects {
    ($($name:ident $free:ident,)*) => { $(
        impl Object for $name {
            unsafe fn free(object: *mut $name) {
                unsafe { $free(object) };
            }
        }
    )* };
}
objects! {
    Space isl_space_free,
    LocalSpace isl_local_space_free,
    Set isl_set_free,
    BasicSet isl_basic_set_free,
    BasicSetList isl_basic_set_list_free,
    Linear isl_constraint_free,
    LinearList isl_constraint_list_free,
    Val isl_val_free,
    Point isl_point_free,
    Aff isl_aff_free,
}

/// An isl context. A second thread tells isl to stop when a limit is exceeded; it stays stopped.
pub struct Context {
    ctx: NonNull<Ctx>,
    exceeded: Arc<Mutex<Option<Exceeded>>>,
    /// The thread that watches the limits; dropping the sender ends it.
    watcher: Option<(std::sync::mpsc::Sender<()>, JoinHandle<()>)>,
}

/// The context as the watcher knows it: it only raises the flag that isl reads for this purpose, and is joined before the
/// context is freed.
struct Flag(NonNull<Ctx>);

unsafe impl Send for Flag {}

impl Flag {
    fn raise(&self) {
        unsafe { isl_ctx_abort(self.0.as_ptr()) }
    }
}

impl Context {
    pub fn new(limits: &Limits) -> Rc<Context> {
        let ctx = NonNull::new(unsafe { isl_ctx_alloc() }).expect("isl finds memory for a context");
        unsafe { isl_options_set_on_error(ctx.as_ptr(), CONTINUE) };
        let exceeded = Arc::new(Mutex::new(limits.exceeded()));
        let (sender, ended) = std::sync::mpsc::channel::<()>();
        let (flag, limits, shared) = (Flag(ctx), limits.clone(), exceeded.clone());
        let watch = move || {
            let stopped = || {
                let found = limits.exceeded();
                *shared.lock().unwrap_or_else(PoisonError::into_inner) = found;
                found.is_some()
            };
            while !stopped() {
                match ended.recv_timeout(PERIOD) {
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
            flag.raise();
        };
        let watcher = thread::Builder::new().name("isl limits".to_string()).spawn(watch);
        let watcher = watcher.expect("the system has room for a thread");
        Rc::new(Context { ctx, exceeded, watcher: Some((sender, watcher)) })
    }

    /// Why isl failed.
    fn stop(&self) -> Stop {
        if let Some(exceeded) = *self.exceeded.lock().unwrap_or_else(PoisonError::into_inner) {
            return Stop::Exceeded(exceeded);
        }
        let message = unsafe { isl_ctx_last_error_msg(self.ctx.as_ptr()) };
        let message = NonNull::new(message.cast_mut()).map(|message| {
            let text = unsafe { CStr::from_ptr(message.as_ptr()) };
            text.to_string_lossy().into_owned()
        });
        Stop::Library(message.unwrap_or_else(|| "isl failed without a message".to_string()))
    }

    fn owned<T: Object>(self: &Rc<Context>, object: *mut T) -> Result<Owned<T>, Stop> {
        let object = NonNull::new(object).ok_or_else(|| self.stop())?;
        Ok(Owned { object, context: self.clone() })
    }

    fn truth(&self, answer: c_int) -> Result<bool, Stop> {
        if answer < 0 { Err(self.stop()) } else { Ok(answer != 0) }
    }

    fn count(&self, answer: c_int) -> Result<usize, Stop> {
        usize::try_from(answer).map_err(|_| self.stop())
    }

    pub fn universe(self: &Rc<Context>, dims: usize) -> Result<Owned<Set>, Stop> {
        let space = self.owned(unsafe { isl_space_set_alloc(self.ctx.as_ptr(), 0, number(dims)) })?;
        self.owned(unsafe { isl_set_universe(space.take()) })
    }

    pub fn empty(self: &Rc<Context>) -> Result<Owned<Set>, Stop> {
        let space = self.owned(unsafe { isl_space_set_alloc(self.ctx.as_ptr(), 0, 0) })?;
        self.owned(unsafe { isl_set_empty(space.take()) })
    }

    /// An integer by its sign and the bytes of its magnitude, the least significant first.
    pub fn integer(self: &Rc<Context>, negative: bool, magnitude: &[u8]) -> Result<Owned<Val>, Stop> {
        let chunks = magnitude.as_ptr().cast();
        let value = unsafe { isl_val_int_from_chunks(self.ctx.as_ptr(), magnitude.len(), 1, chunks) };
        let value = self.owned(value)?;
        if negative { self.owned(unsafe { isl_val_neg(value.take()) }) } else { Ok(value) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some((sender, watcher)) = self.watcher.take() {
            drop(sender);
            // It cannot have panicked in a way that matters: it only reads limits and raises the flag.
            let _ = watcher.join();
        }
        unsafe { isl_ctx_free(self.ctx.as_ptr()) }
    }
}

/// A position or a number of dimensions, as isl wants it.
fn number(n: usize) -> c_uint {
    c_uint::try_from(n).expect("fewer than 2^32 dimensions")
}

fn index(n: usize) -> c_int {
    c_int::try_from(n).expect("fewer than 2^31 dimensions")
}

/// An object that belongs to us.
pub struct Owned<T: Object> {
    object: NonNull<T>,
    context: Rc<Context>,
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        unsafe { T::free(self.object.as_ptr()) }
    }
}

impl<T: Object> Owned<T> {
    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// Gives the object away.
    fn take(self) -> *mut T {
        let object = self.keep();
        // Only the reference to the context is dropped.
        let this = std::mem::ManuallyDrop::new(self);
        drop(unsafe { std::ptr::read(&this.context) });
        object
    }

    fn keep(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl Clone for Owned<Set> {
    fn clone(&self) -> Owned<Set> {
        // Copying counts a reference, which cannot fail.
        let object = NonNull::new(unsafe { isl_set_copy(self.keep()) }).expect("isl copies a set");
        Owned { object, context: self.context.clone() }
    }
}

macro_rules! unary {
    ($($name:ident $function:ident,)*) => { $(
        pub fn $name(self) -> Result<Owned<Set>, Stop> {
            let context = self.context.clone();
            context.owned(unsafe { $function(self.take()) })
        }
    )* };
}

macro_rules! binary {
    ($($name:ident $function:ident,)*) => { $(
        pub fn $name(self, other: Owned<Set>) -> Result<Owned<Set>, Stop> {
            let context = self.context.clone();
            context.owned(unsafe { $function(self.take(), other.take()) })
        }
    )* };
}

impl Owned<Set> {
    unary! {
        complement isl_set_complement,
        coalesce isl_set_coalesce,
        detect_equalities isl_set_detect_equalities,
        compute_divs isl_set_compute_divs,
    }

    binary! {
        union isl_set_union,
        intersect isl_set_intersect,
        subtract isl_set_subtract,
    }

    /// The least set of equations, also modulo numbers, that hold in all points.
    pub fn affine_hull(self) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        let hull = context.owned(unsafe { isl_set_affine_hull(self.take()) })?;
        context.owned(unsafe { isl_set_from_basic_set(hull.take()) })
    }

    /// One conjunction that contains the set, of constraints that have the factors of some in it.
    pub fn simple_hull(self) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        let hull = context.owned(unsafe { isl_set_simple_hull(self.take()) })?;
        context.owned(unsafe { isl_set_from_basic_set(hull.take()) })
    }

    pub fn insert_dims(self, first: usize, n: usize) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        context.owned(unsafe { isl_set_insert_dims(self.take(), dim::SET, number(first), number(n)) })
    }

    pub fn project_out(self, first: usize, n: usize) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        context.owned(unsafe { isl_set_project_out(self.take(), dim::SET, number(first), number(n)) })
    }

    /// Moves a dimension to an earlier position. isl moves only between kinds, so it is a parameter in between.
    pub fn move_dim(self, from: usize, to: usize) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        let moved = unsafe { isl_set_move_dims(self.take(), dim::PARAM, 0, dim::SET, number(from), 1) };
        let moved = context.owned(moved)?;
        context.owned(unsafe { isl_set_move_dims(moved.take(), dim::SET, number(to), dim::PARAM, 0, 1) })
    }

    pub fn involves(&self, at: usize) -> Result<bool, Stop> {
        self.context.truth(unsafe { isl_set_involves_dims(self.keep(), dim::SET, number(at), 1) })
    }

    pub fn is_empty(&self) -> Result<bool, Stop> {
        self.context.truth(unsafe { isl_set_is_empty(self.keep()) })
    }

    /// Whether both consist of the same constraints.
    pub fn is_alike(&self, other: &Owned<Set>) -> Result<bool, Stop> {
        self.context.truth(unsafe { isl_set_plain_is_equal(self.keep(), other.keep()) })
    }

    pub fn is_subset(&self, other: &Owned<Set>) -> Result<bool, Stop> {
        self.context.truth(unsafe { isl_set_is_subset(self.keep(), other.keep()) })
    }

    /// A point of a set that is not empty.
    pub fn sample_point(self) -> Result<Owned<Point>, Stop> {
        let context = self.context.clone();
        context.owned(unsafe { isl_set_sample_point(self.take()) })
    }

    /// `constant + factors . dimensions = 0`, or `>= 0`.
    pub fn constrain(
        self,
        equality: bool,
        constant: Owned<Val>,
        factors: Vec<(usize, Owned<Val>)>,
    ) -> Result<Owned<Set>, Stop> {
        let context = self.context.clone();
        let space = context.owned(unsafe { isl_set_get_space(self.keep()) })?;
        let space = context.owned(unsafe { isl_local_space_from_space(space.take()) })?;
        let alloc = if equality { isl_constraint_alloc_equality } else { isl_constraint_alloc_inequality };
        let mut constraint = context.owned(unsafe { alloc(space.take()) })?;
        constraint = context.owned(unsafe { isl_constraint_set_constant_val(constraint.take(), constant.take()) })?;
        for (at, factor) in factors {
            let set =
                unsafe { isl_constraint_set_coefficient_val(constraint.take(), dim::SET, index(at), factor.take()) };
            constraint = context.owned(set)?;
        }
        context.owned(unsafe { isl_set_add_constraint(self.take(), constraint.take()) })
    }

    /// The number of conjunctions whose union the set is.
    pub fn n_basic_set(&self) -> Result<usize, Stop> {
        self.context.count(unsafe { isl_set_n_basic_set(self.keep()) })
    }

    /// The conjunctions whose union the set is.
    pub fn basic_sets(&self) -> Result<Vec<Owned<BasicSet>>, Stop> {
        let context = &self.context;
        let list = context.owned(unsafe { isl_set_get_basic_set_list(self.keep()) })?;
        let n = context.count(unsafe { isl_basic_set_list_n_basic_set(list.keep()) })?;
        (0..n).map(|at| context.owned(unsafe { isl_basic_set_list_get_basic_set(list.keep(), index(at)) })).collect()
    }
}

impl Owned<BasicSet> {
    /// The number of dimensions of a kind.
    pub fn dim(&self, kind: c_int) -> Result<usize, Stop> {
        self.context.count(unsafe { isl_basic_set_dim(self.keep(), kind) })
    }

    /// The number of constraints, with those that define divisions.
    pub fn n_constraint(&self) -> Result<usize, Stop> {
        self.context.count(unsafe { isl_basic_set_n_constraint(self.keep()) })
    }

    /// The sum of which a division is the floor.
    pub fn division(&self, at: usize) -> Result<Owned<Aff>, Stop> {
        self.context.owned(unsafe { isl_basic_set_get_div(self.keep(), index(at)) })
    }

    /// The constraints beside those that define divisions. All divisions are known.
    pub fn constraints(&self) -> Result<Vec<Owned<Linear>>, Stop> {
        let context = &self.context;
        let list = context.owned(unsafe { isl_basic_set_get_constraint_list(self.keep()) })?;
        let n = context.count(unsafe { isl_constraint_list_n_constraint(list.keep()) })?;
        (0..n).map(|at| context.owned(unsafe { isl_constraint_list_get_constraint(list.keep(), index(at)) })).collect()
    }
}

impl Owned<Linear> {
    pub fn is_equality(&self) -> Result<bool, Stop> {
        self.context.truth(unsafe { isl_constraint_is_equality(self.keep()) })
    }

    pub fn constant(&self) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_constraint_get_constant_val(self.keep()) })
    }

    pub fn coefficient(&self, kind: c_int, at: usize) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_constraint_get_coefficient_val(self.keep(), kind, index(at)) })
    }
}

impl Owned<Aff> {
    pub fn constant(&self) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_aff_get_constant_val(self.keep()) })
    }

    pub fn coefficient(&self, kind: c_int, at: usize) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_aff_get_coefficient_val(self.keep(), kind, index(at)) })
    }
}

impl Owned<Point> {
    pub fn coordinate(&self, at: usize) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_point_get_coordinate_val(self.keep(), dim::SET, index(at)) })
    }
}

impl Owned<Val> {
    pub fn is_negative(&self) -> bool {
        unsafe { isl_val_sgn(self.keep()) < 0 }
    }

    /// The bytes of the numerator's magnitude, the least significant first.
    pub fn numerator(&self) -> Result<Vec<u8>, Stop> {
        let n = self.context.count(unsafe { isl_val_n_abs_num_chunks(self.keep(), 1) })?;
        let mut bytes = vec![0u8; n];
        let status = unsafe { isl_val_get_abs_num_chunks(self.keep(), 1, bytes.as_mut_ptr().cast()) };
        if status < 0 { Err(self.context.stop()) } else { Ok(bytes) }
    }

    pub fn denominator(&self) -> Result<Owned<Val>, Stop> {
        self.context.owned(unsafe { isl_val_get_den_val(self.keep()) })
    }
}
