//! Reads violation witnesses of format 1.0, which are automata in GraphML.
//!
//! Of an automaton the shortest way from its entry to a violation is taken. What is assumed on the way becomes waypoints; what is
//! said of branches and calls is passed over, so that more executions may be meant than the automaton means. Such a witness has
//! no target: any violation counts.

use super::read::{Constraint, Content, Kind, Location, Waypoint, Witness};
use std::collections::{HashMap, VecDeque};

/// An edge: where it leads, and its data by their keys.
struct Edge<'a> {
    target: &'a str,
    data: Vec<(&'a str, String)>,
}

/// Reads a witness; nothing if the text is no GraphML.
pub fn read_graphml(text: &str) -> Option<Result<Witness, String>> {
    text.contains("<graphml").then(|| read(text))
}

fn read(text: &str) -> Result<Witness, String> {
    let graph = text.split_once("<graph ").map(|(_, graph)| graph).ok_or("expected a graph")?;
    let about = graph.split("<node").next().unwrap_or_default();
    let about: HashMap<&str, String> = data(about).into_iter().collect();
    if about.get("witness-type").map(String::as_str) != Some("violation_witness") {
        return Err("expected a violation witness: of format 1.0, no other is read".to_string());
    }
    let (mut entry, mut violations) = (None, Vec::new());
    for (tag, body) in elements(graph, "node") {
        let id = attribute(tag, "id").ok_or("expected a node with an `id`")?;
        let is = |key: &str| data(body).iter().any(|(known, value)| *known == key && value == "true");
        entry = entry.or(is("entry").then_some(id));
        violations.extend(is("violation").then_some(id));
    }
    let mut edges: HashMap<&str, Vec<Edge>> = HashMap::new();
    for (tag, body) in elements(graph, "edge") {
        let ends = attribute(tag, "source").zip(attribute(tag, "target"));
        let (source, target) = ends.ok_or("expected an edge with a `source` and a `target`")?;
        edges.entry(source).or_default().push(Edge { target, data: data(body) });
    }
    let entry = entry.ok_or("expected a node that is the entry")?;
    let way = way(entry, &violations, &edges).ok_or("expected a way from the entry to a violation")?;
    let model = match about.get("architecture").map(String::as_str) {
        Some("32bit") => Some("ILP32".to_string()),
        Some("64bit") => Some("LP64".to_string()),
        _ => None,
    };
    Ok(Witness {
        content: Content::Violation(way.iter().flat_map(|edge| waypoint(edge)).map(|one| vec![one]).collect()),
        specification: about.get("specification").filter(|text| text.trim_start().starts_with("CHECK")).cloned(),
        data_model: model,
        // Programs were named by other digests, too.
        hashes: about.get("programhash").filter(|hash| hash.len() == 64).cloned().into_iter().collect(),
    })
}

/// The shortest way from a node to one of others.
fn way<'a, 'e>(from: &'a str, to: &[&str], edges: &'e HashMap<&'a str, Vec<Edge<'a>>>) -> Option<Vec<&'e Edge<'a>>> {
    let mut came: HashMap<&str, (&str, &Edge)> = HashMap::new();
    let mut pending = VecDeque::from([from]);
    let mut last = to.contains(&from).then_some(from);
    while let (None, Some(node)) = (last, pending.pop_front()) {
        for edge in edges.get(node).into_iter().flatten() {
            if edge.target != from && !came.contains_key(edge.target) {
                came.insert(edge.target, (node, edge));
                pending.push_back(edge.target);
                last = last.or(to.contains(&edge.target).then_some(edge.target));
            }
        }
    }
    let mut found = Vec::new();
    let mut at = last?;
    while let Some((before, edge)) = came.get(at).filter(|_| at != from) {
        found.push(*edge);
        at = before;
    }
    found.reverse();
    Some(found)
}

/// What an edge assumes, if it says where.
fn waypoint(edge: &Edge) -> Option<Waypoint> {
    let get = |key: &str| edge.data.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str());
    let line = get("startline")?.trim().parse().ok().filter(|line| *line > 0)?;
    let parts: Vec<&str> = get("assumption")?.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let text = parts.join(" && ");
    let kind = if text.contains("\\result") { Kind::FunctionReturn } else { Kind::After };
    let location = Location { file: None, line, column: None };
    Some(Waypoint { kind, location, constraint: Constraint::Expression(text), is_avoided: false })
}

/// The elements of a name: what stands in their tags, and what is between those.
fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let (open, close) = (format!("<{name} "), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(open.as_str())?;
        let (tag, after) = after.split_once('>')?;
        if tag.ends_with('/') {
            rest = after;
            return Some((tag, ""));
        }
        let (body, after) = after.split_once(close.as_str())?;
        rest = after;
        Some((tag, body))
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!("{name}=\""))?;
    value.split('"').next()
}

/// The data in a text, by their keys.
fn data(text: &str) -> Vec<(&str, String)> {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    let plain = |text: &str| entities.iter().fold(text.to_string(), |text, (name, sign)| text.replace(name, sign));
    elements(text, "data").filter_map(|(tag, body)| Some((attribute(tag, "key")?, plain(body)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: &str = "<graphml><graph edgedefault=\"directed\">\n<data key=\"witness-type\">violation_witness</data>\n\
        <data key=\"architecture\">32bit</data>\n<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>\n\
        <node id=\"c\"><data key=\"violation\">true</data></node>\n<edge source=\"a\" target=\"b\">\
        <data key=\"startline\">4</data><data key=\"assumption\">x &lt; 5; y == 2;</data></edge>\n\
        <edge source=\"b\" target=\"c\"><data key=\"startline\">7</data><data key=\"assumption\">\\result == 1</data></edge>\n\
        </graph></graphml>";

    #[test]
    fn what_is_assumed_on_the_way_is_read() {
        let Some(Ok(Witness { content: Content::Violation(segments), data_model, .. })) = read_graphml(GRAPH) else {
            panic!("a witness")
        };
        let told: Vec<String> =
            segments.iter().flatten().map(|w| format!("{} {:?}", w.location.line, w.constraint)).collect();
        assert_eq!(told, ["4 Expression(\"x < 5 && y == 2\")", "7 Expression(\"\\\\result == 1\")"]);
        assert_eq!(data_model.as_deref(), Some("ILP32"));
    }

    #[test]
    fn other_graphs_are_refused() {
        assert!(read_graphml("- entry_type: invariant_set").is_none());
        assert!(matches!(read_graphml("<graphml></graphml>"), Some(Err(_))));
        assert!(matches!(read_graphml(&GRAPH.replace("violation_w", "correctness_w")), Some(Err(_))));
        assert!(matches!(read_graphml(&GRAPH.replace("source=\"b\"", "source=\"c\"")), Some(Err(_))));
    }
}
