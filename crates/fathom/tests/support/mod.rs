//! What the tests of the command line share: running it.
#![allow(dead_code, reason = "each file of tests uses a part of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a process did.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl Ran {
    pub fn of(command: &mut Command) -> Ran {
        let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Ran {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    /// The last line of standard output.
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// The program under test, to be run in the project's folder.
pub fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.current_dir(root());
    command
}

/// A folder of files that is removed again.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = std::env::temp_dir().join(format!("fathom-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        for (file, text) in files {
            std::fs::write(folder.join(file), text).expect("a file for the test");
        }
        Folder(folder)
    }

    /// Fathom, to be run in this folder.
    pub fn fathom(&self, arguments: &[&str]) -> Command {
        let mut command = fathom();
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.fathom(arguments))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
