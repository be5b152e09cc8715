//! Ownership of Z3's objects.
//!
//! All `unsafe` of the back end rests on these rules, which the types here keep:
//! - A context and everything made in it are used by one thread at a time (`Rc` makes them stay in their thread). The
//!   one exception is `Z3_interrupt`, which [`super::watch`] calls and Z3 allows.
//! - Z3 frees an object when its reference count is zero, so every object is counted as soon as a call returns it and
//!   stays counted as long as its owner here lives; the owner keeps the context alive.
//! - An error leaves a null pointer, which the bindings show as `None`; Z3's own handler, which would end the process,
//!   is turned off.

use super::watch::Watch;
use std::ffi::CStr;
use std::rc::Rc;
use z3_sys::*;

/// What Z3 said when a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Z3Error(pub String);

pub(super) struct Context {
    raw: Z3_context,
    pub watch: Watch,
}

impl Context {
    pub fn new() -> Rc<Context> {
        // SAFETY: the configuration lives until the context is made; the context is used by this thread alone.
        let raw = unsafe {
            let configuration = Z3_mk_config().expect("Z3 makes a configuration");
            let raw = Z3_mk_context_rc(configuration).expect("Z3 makes a context");
            Z3_del_config(configuration);
            Z3_set_error_handler(raw, None);
            raw
        };
        Rc::new(Context { raw, watch: Watch::new(raw) })
    }

    pub fn raw(&self) -> Z3_context {
        self.raw
    }

    /// The error of the last call.
    pub fn error(&self) -> Z3Error {
        // SAFETY: the context is alive, and the message is copied before another call can change it.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            Z3Error(self.text(Z3_get_error_msg(self.raw, code)))
        }
    }

    /// Whether the last call failed.
    pub fn failed(&self) -> Option<Z3Error> {
        // SAFETY: the context is alive.
        let code = unsafe { Z3_get_error_code(self.raw) };
        (code != ErrorCode::Ok).then(|| self.error())
    }

    /// Copies a string of Z3's.
    ///
    /// # Safety
    /// `text` was just returned by a call for this context.
    pub unsafe fn text(&self, text: Z3_string) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: Z3's strings end with a zero byte and live until the next call.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// A symbol for a number: cheaper than a string, and never equal to one that Z3 makes up.
    pub fn symbol(&self, number: usize) -> Result<Z3_symbol, Z3Error> {
        let number = i32::try_from(number).map_err(|_| Z3Error("too many symbols".into()))?;
        // SAFETY: the context is alive; symbols are never freed.
        unsafe { Z3_mk_int_symbol(self.raw, number) }.ok_or_else(|| self.error())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // The watch must not see a context that is gone.
        self.watch.retire();
        // SAFETY: every owner of an object keeps the context alive, so none is left.
        unsafe { Z3_del_context(self.raw) }
    }
}

/// Defines an owner of one kind of counted object.
macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $increase:ident, $decrease:ident) => {
        $(#[$doc])*
        pub(super) struct $name {
            raw: $raw,
            context: Rc<Context>,
        }

        impl $name {
            /// Takes what a call for this context has just returned.
            pub fn own(context: &Rc<Context>, raw: Option<$raw>) -> Result<$name, Z3Error> {
                let raw = raw.ok_or_else(|| context.error())?;
                // SAFETY: the object was just made in this context and is still alive.
                unsafe { $increase(context.raw(), raw) };
                Ok($name { raw, context: context.clone() })
            }

            pub fn raw(&self) -> $raw {
                self.raw
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: this owner counted the object once.
                unsafe { $decrease(self.context.raw(), self.raw) }
            }
        }
    };
}

owner!(
    /// A term of Z3's.
    Ast, Z3_ast, Z3_inc_ref, Z3_dec_ref
);
owner!(Model, Z3_model, Z3_model_inc_ref, Z3_model_dec_ref);
owner!(Solver, Z3_solver, Z3_solver_inc_ref, Z3_solver_dec_ref);
owner!(Params, Z3_params, Z3_params_inc_ref, Z3_params_dec_ref);
owner!(AstVector, Z3_ast_vector, Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref);
owner!(Interpretation, Z3_func_interp, Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
owner!(Fixedpoint, Z3_fixedpoint, Z3_fixedpoint_inc_ref, Z3_fixedpoint_dec_ref);
owner!(Entry, Z3_func_entry, Z3_func_entry_inc_ref, Z3_func_entry_dec_ref);

/// A function declaration, which is counted as the term that it is.
pub(super) struct FuncDecl(Ast);

impl FuncDecl {
    /// Takes what a call for this context has just returned.
    pub fn own(context: &Rc<Context>, raw: Option<Z3_func_decl>) -> Result<FuncDecl, Z3Error> {
        // SAFETY: the declaration was just made in this context and is still alive.
        let ast = raw.and_then(|raw| unsafe { Z3_func_decl_to_ast(context.raw(), raw) });
        Ast::own(context, ast).map(FuncDecl)
    }

    pub fn raw_declaration(&self) -> Z3_func_decl {
        // The two types are one in Z3: declarations are terms.
        self.0.raw().cast()
    }
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        // SAFETY: the object is alive, since this owner counts it.
        unsafe { Z3_inc_ref(self.context.raw(), self.raw) };
        Ast { raw: self.raw, context: self.context.clone() }
    }
}

impl PartialEq for Ast {
    fn eq(&self, other: &Ast) -> bool {
        self.raw == other.raw
    }
}

impl AstVector {
    /// The elements, in order.
    pub fn elements(&self) -> Result<Vec<Ast>, Z3Error> {
        // SAFETY: the vector is alive, and the index is below its size.
        unsafe {
            let size = Z3_ast_vector_size(self.context.raw(), self.raw());
            (0..size).map(|i| Ast::own(&self.context, Z3_ast_vector_get(self.context.raw(), self.raw, i))).collect()
        }
    }
}

impl Params {
    pub fn new(context: &Rc<Context>) -> Result<Params, Z3Error> {
        // SAFETY: the context is alive.
        Params::own(context, unsafe { Z3_mk_params(context.raw()) })
    }

    fn name(&self, name: &CStr) -> Option<Z3_symbol> {
        // SAFETY: the context is alive and the name ends with a zero byte.
        unsafe { Z3_mk_string_symbol(self.context.raw(), name.as_ptr()) }
    }

    pub fn flag(&self, name: &CStr, value: bool) {
        if let Some(name) = self.name(name) {
            // SAFETY: all objects belong to the context.
            unsafe { Z3_params_set_bool(self.context.raw(), self.raw, name, value) }
        }
    }

    pub fn number(&self, name: &CStr, value: u32) {
        if let Some(name) = self.name(name) {
            // SAFETY: all objects belong to the context.
            unsafe { Z3_params_set_uint(self.context.raw(), self.raw, name, value) }
        }
    }

    pub fn word(&self, name: &CStr, value: &CStr) {
        if let (Some(name), Some(value)) = (self.name(name), self.name(value)) {
            // SAFETY: all objects belong to the context.
            unsafe { Z3_params_set_symbol(self.context.raw(), self.raw, name, value) }
        }
    }
}
