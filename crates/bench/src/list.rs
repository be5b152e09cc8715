//! Tasks of a list: lines with tabs between group, language, repository, commit, path, property, verdict and data model, below a line that
//! names these columns. The programs lie below a folder, in one folder for each repository.

use crate::{Source, Task};
use std::path::Path;

/// The tasks of some groups, or of all if none is named: those of them that are C programs for 32 bits about an error that is not reached, the
/// kind that the paper's own programs are.
pub fn listed(list: &str, folder: &Path, groups: &[String]) -> Vec<Task> {
    list.lines().skip(1).filter_map(|line| task(line, folder)).filter(|task| is_wanted(task, groups)).collect()
}

fn is_wanted(task: &Task, groups: &[String]) -> bool {
    groups.is_empty() || task.group.as_ref().is_some_and(|group| groups.contains(group))
}

fn task(line: &str, folder: &Path) -> Option<Task> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [group, "c", repository, _, path, property, verdict, "32"]: [&str; 8] = *cells.get(..8)?.as_array()? else {
        return None;
    };
    let property = match property {
        "unreach-call" | "assert" => "unreach-call",
        "label ERROR unreachable" => "unreach-label:ERROR",
        _ => return None,
    };
    Some(Task {
        name: path.rsplit('/').next()?.to_string(),
        group: Some(group.to_string()),
        source: Source::File(folder.join(repository.replace('/', "+")).join(path)),
        property,
        holds: verdict == "true",
        published: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_found_by_their_groups() {
        let list = "group\tlanguage\trepo\tcommit\tpath\tproperty\tverdict\tmodel\toptions\n\
            locks\tc\ta/b\t0\tc/l/test_locks_5.c\tunreach-call\ttrue\t32\t\n\
            lbe\tc\tx/y\t0\tl.c\tlabel ERROR unreachable\tfalse\t32\t\n\
            lbe\tc\tx/y\t0\tm.c\tno-overflow\tfalse\t32\t\n\
            loops\tc\tx/y\t0\tn.c\tunreach-call\tfalse\t64\t\n";
        let found = |groups: &[&str]| -> Vec<(String, &str, bool)> {
            let groups: Vec<String> = groups.iter().map(|group| group.to_string()).collect();
            let tasks = listed(list, Path::new("/t"), &groups);
            let file = |task: &Task| {
                if let Source::File(path) = &task.source { path.display().to_string() } else { String::new() }
            };
            tasks.iter().map(|task| (file(task), task.property, task.holds)).collect()
        };
        let [locks, lbe] =
            [("/t/a+b/c/l/test_locks_5.c", "unreach-call", true), ("/t/x+y/l.c", "unreach-label:ERROR", false)]
                .map(|(file, property, holds)| (file.to_string(), property, holds));
        assert_eq!(found(&[]), [locks, lbe.clone()]);
        assert_eq!(found(&["lbe"]), [lbe]);
    }
}
