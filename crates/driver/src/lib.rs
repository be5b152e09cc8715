//! draft
pub mod property;
pub mod report;
pub mod task;
