//! Fits a program in the textual form to the properties that a user asks for.
//!
//! Such a program names its properties itself. Asked for some of them only, the others must not count; but an error
//! location has no way onward, so nothing is known of executions that come to one of the others: they become unsupported.

use crate::property::Property;
use ir::{Cfa, LocId, Location, LocationKind, Program, PropertyId};
use source::Symbol;

/// The program with the error locations of just these properties; and those of the properties that it cannot be checked
/// for, because it was not made for them.
pub fn select(mut program: Program, properties: &[Property]) -> (Program, Vec<Property>) {
    let classes: Vec<Property> = program.properties.iter().map(|p| Property::from_class(p.class)).collect();
    let mut unsupported = Vec::new();
    for property in properties {
        match property {
            _ if classes.contains(property) => {}
            Property::UnreachCall => {}
            Property::UnreachLabel(label) => program = forbid_label(program, *label),
            other => unsupported.push(*other),
        }
    }
    let is_asked = |id: PropertyId| properties.contains(&Property::from_class(program.properties[id.0 as usize].class));
    let kind = |location: &Location| match location.kind {
        LocationKind::Error(id) if !is_asked(id) => {
            let class = program.properties[id.0 as usize].class;
            LocationKind::Unsupported(Symbol::new(&format!("what follows a violation of {class}")))
        }
        kind => kind,
    };
    let changed: Vec<_> =
        program.procedures.iter().map(|p| p.body.as_ref().ok().map(|cfa| rebuild(cfa, &kind))).collect();
    for (procedure, body) in program.procedures.iter_mut().zip(changed) {
        if let Some(body) = body {
            procedure.body = Ok(body);
        }
    }
    (program, unsupported)
}

/// Makes every location with the label an error location of a new property.
fn forbid_label(mut program: Program, label: Symbol) -> Program {
    let id = PropertyId(program.properties.len() as u32);
    let class = Symbol::new(&Property::UnreachLabel(label).to_string());
    let mut place = None;
    for procedure in &mut program.procedures {
        let Ok(cfa) = &procedure.body else { continue };
        let forbidden = |location: &Location| location.label == Some(label) && location.kind == LocationKind::Plain;
        place = place.or(cfa.locations().find(|(_, l)| forbidden(l)).and_then(|(_, l)| l.place));
        let kind = |l: &Location| if forbidden(l) { LocationKind::Error(id) } else { l.kind };
        procedure.body = Ok(rebuild(cfa, &kind));
    }
    let text = Symbol::new(&format!("label {label} is reached"));
    program.properties.push(ir::Property { class, text, place });
    program
}

/// The automaton with other kinds of locations; edges that leave what is no longer plain are gone.
fn rebuild(cfa: &Cfa, kind: &dyn Fn(&Location) -> LocationKind) -> Cfa {
    let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
    for location in &mut locations {
        location.kind = kind(location);
    }
    let is_plain = |id: LocId| locations[id.0 as usize].kind == LocationKind::Plain;
    edges.retain(|edge| is_plain(edge.from));
    Cfa::new(locations, edges, entry, exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "property p unreach-call\nproperty q no-overflow\nprocedure main() {\n\
        location wrong error p\nlocation wide error q\nlocation here label HERE\n\
        entry -> wrong\nentry -> wide\nentry -> here\nhere -> exit\n}\n";

    /// The kinds of the three special locations, and what cannot be checked.
    fn check(properties: &[&str], expected: [&str; 3], unsupported: &[&str]) {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let properties: Vec<Property> = properties.iter().flat_map(|p| Property::from_short_name(p).unwrap()).collect();
        let (selected, left) = select(program, &properties);
        ir::validate(&selected).unwrap_or_else(|violations| panic!("{violations:?}"));
        let cfa = selected.procedures[0].body.as_ref().unwrap();
        let kind = |location: &Location| match location.kind {
            LocationKind::Plain => "plain".to_string(),
            LocationKind::Error(id) => selected.property(id).class.to_string(),
            LocationKind::End => "end".to_string(),
            LocationKind::Unsupported(what) => what.to_string(),
        };
        // The entry and the exit come first.
        let kinds: Vec<String> = cfa.locations().skip(2).map(|(_, location)| kind(location)).collect();
        assert_eq!(kinds, expected);
        assert_eq!(left.iter().map(|p| p.to_string()).collect::<Vec<_>>(), unsupported);
    }

    #[test]
    fn only_what_is_asked_for_is_an_error() {
        let (call, overflow) = ("unreach-call", "no-overflow");
        check(&[call, overflow], [call, overflow, "plain"], &[]);
        check(&[call], [call, "what follows a violation of no-overflow", "plain"], &[]);
        check(&[overflow], ["what follows a violation of unreach-call", overflow, "plain"], &[]);
    }

    #[test]
    fn labels_become_errors() {
        let label = "unreach-label:HERE";
        check(&["unreach-call", "no-overflow", label], ["unreach-call", "no-overflow", label], &[]);
    }

    #[test]
    fn what_the_program_was_not_made_for_cannot_be_checked() {
        let asked = ["unreach-call", "no-overflow", "valid-free"];
        check(&asked, ["unreach-call", "no-overflow", "plain"], &["valid-free"]);
    }
}
