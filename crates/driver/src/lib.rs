//! draft
pub mod property;
pub mod task;
