//! From what a user names to a valid program: task definitions, property files, languages.
//!
//! The language follows from the file's extension, by the one table [`LANGUAGES`].

use crate::compile_commands;
use crate::pipeline::{Executions, Form};
use crate::property::{ALL, Property, SyntaxError, parse_ltl};
use crate::select::select;
use crate::task::{Task, parse_task, unreadable};
pub use frontend_boogie::Candidates;
use frontend_c::SourceFile;
use frontend_c::automaton::{self, Automaton};
pub use frontend_c::{MissingBodies, Pointers};
use ir::{DataModel, Program};
use source::{Diagnostic, FileId, Severity, SourceMap, Span, Symbol};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::Term;

/// What a user asks for, as it was written.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// A program or a task definition.
    pub file: PathBuf,
    /// The other files of a C program of several.
    pub linked: Vec<PathBuf>,
    /// A compilation database that lists C files with their options. Without files named above, all of them are the program.
    pub compile_commands: Option<PathBuf>,
    /// Short names, LTL properties or names of property files.
    pub properties: Vec<String>,
    pub data_model: Option<DataModel>,
    pub entry: Option<String>,
    /// Folders to look for headers in.
    pub includes: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Whether atomic steps of all memory orders of a C program are taken to be sequentially consistent. SV-COMP's task
    /// definitions mean this.
    pub sequential_consistency: bool,
    /// Whether threads run until they yield.
    pub cooperative: bool,
    /// Whether `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// Where registers of devices lie: addresses and sizes in bytes.
    pub registers: Vec<(u64, u64)>,
    /// What calls of functions without a body do. Task definitions mean that they are pure, others that they are refused.
    pub missing_bodies: Option<MissingBodies>,
    /// What pointer arguments of a C function that execution starts with may have in common.
    pub pointers: Pointers,
    /// Files of a Boogie program whose text follows that of the first one.
    pub concat: Vec<PathBuf>,
    /// Files with automata that a C program must keep out of their error states.
    pub automata: Vec<PathBuf>,
    /// What the constants of a Boogie program are that are to be inferred.
    pub candidates: Candidates,
}

impl Request {
    /// Whether every property is to be checked by itself.
    pub fn asks_for_all(&self) -> bool {
        self.properties.iter().any(|property| property == ALL)
    }
}

/// A program with what is to be checked of it.
#[derive(Clone)]
pub struct Loaded {
    pub program: Program,
    pub target: Target,
    /// What else the user should know.
    pub remarks: Vec<String>,
    request: Arc<Request>,
    text: Text,
}

impl Loaded {
    /// Loads the texts that the program's places come from, once more: only who shows an execution needs them.
    pub fn text(&self, sources: &mut SourceMap) -> Vec<FileId> {
        (self.text)(&self.request, &self.target, sources)
    }
}

/// What a request comes to, whether or not its program can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    pub file: PathBuf,
    /// All files of the program, each with its own options.
    pub units: Vec<SourceFile>,
    pub data_model: DataModel,
    pub entry: Symbol,
    /// What to check. Empty for a program that names its properties itself.
    pub properties: Vec<Property>,
    /// Those of the properties that nothing can check in this program.
    pub unsupported: Vec<Property>,
    pub automata: Vec<Automaton>,
    /// The constants that are to be inferred.
    pub candidates: Vec<Symbol>,
    /// The functions of a C library, which has no entry.
    pub functions: Vec<Symbol>,
}

/// Why there is no program: what was given is none, or no property.
#[derive(Debug)]
pub struct LoadError {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    /// The functions of a C library, if that is why: there is no `main`, and no other entry was asked for.
    pub functions: Vec<Symbol>,
}

impl LoadError {
    pub fn new(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> LoadError {
        LoadError { sources, diagnostics, functions: Vec::new() }
    }
}

type Read = Result<Program, Vec<Diagnostic>>;

/// How a language is read. What else the user should know is added to the remarks.
type Reader = fn(&Request, &mut Target, &mut SourceMap, &mut Vec<String>) -> Read;

type Text = fn(&Request, &Target, &mut SourceMap) -> Vec<FileId>;

/// How programs of one language are read.
struct Language {
    extensions: &'static [&'static str],
    /// Reads the program, and says in the target what of it cannot be checked.
    read: Reader,
    /// Loads the texts that the program's places come from.
    text: Text,
}

const LANGUAGES: &[Language] = &[
    Language { extensions: &["c", "i", "h"], read: read_c, text: text_c },
    Language { extensions: &["ir"], read: read_ir, text: |_, _, _| Vec::new() },
    Language { extensions: &["bpl"], read: read_boogie, text: text_boogie },
    Language { extensions: &["bp"], read: read_bp, text: text_as_it_is },
];

const TASKS: &[&str] = &["yml", "yaml"];

/// Loads the program of a request.
pub fn load(request: &Request) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::new();
    match resolve(request, &mut sources) {
        Err(diagnostics) => Err(LoadError::new(sources, diagnostics)),
        Ok((language, target)) => read(request, language, target, sources),
    }
}

fn read(
    request: &Request,
    language: &Language,
    mut target: Target,
    mut sources: SourceMap,
) -> Result<Loaded, LoadError> {
    let mut remarks = Vec::new();
    match (language.read)(request, &mut target, &mut sources, &mut remarks) {
        Ok(program) => Ok(loaded(Arc::new(request.clone()), language, program, target, remarks)),
        Err(diagnostics) => Err(LoadError { sources, diagnostics, functions: target.functions }),
    }
}

fn loaded(
    request: Arc<Request>,
    language: &Language,
    program: Program,
    target: Target,
    mut remarks: Vec<String>,
) -> Loaded {
    for property in &target.properties {
        if let Property::UnreachLabel(label) = property
            && !program.properties.iter().any(|p| Property::from_class(p.class) == *property)
        {
            remarks.push(format!("the program has no label {label} that control could reach"));
        }
    }
    Loaded { program, target, remarks, request, text: language.text }
}

/// Loads the program of a request once for every property. A C program is read once for all of them.
pub fn load_each(request: &Request) -> Result<Vec<Loaded>, LoadError> {
    let mut sources = SourceMap::new();
    let (language, target) = match resolve(request, &mut sources) {
        Err(diagnostics) => return Err(LoadError::new(sources, diagnostics)),
        Ok(resolved) => resolved,
    };
    let alone = |property: Property| Target { properties: vec![property], ..target.clone() };
    if !language.extensions.contains(&"c") {
        // What else there is can only be violated as an assertion, or is what the program names itself.
        let all = read(request, language, Target { properties: Vec::new(), ..target.clone() }, sources)?;
        let mut properties: Vec<Property> =
            all.program.properties.iter().map(|property| Property::from_class(property.class)).collect();
        properties.push(Property::UnreachCall);
        properties.sort();
        properties.dedup();
        let each = properties.into_iter().map(|property| read(request, language, alone(property), SourceMap::new()));
        return each.collect();
    }
    let shared = Arc::new(request.clone());
    let checked = match frontend_c::read(&target.units, &options_c(request, &target), &mut sources) {
        Ok(checked) => checked,
        Err(diagnostics) => return Err(LoadError::new(sources, in_order(diagnostics))),
    };
    let mut each = Vec::new();
    for property in &target.properties {
        let mut target = alone(*property);
        separate(&mut target, frontend_c::can_check);
        match checked.program(&options_c(request, &target), &sources) {
            Ok(program) => each.push(loaded(Arc::clone(&shared), language, program, target, Vec::new())),
            Err(diagnostics) => {
                let functions = functions_of_library(request, &target, &checked);
                return Err(LoadError { sources, diagnostics, functions });
            }
        }
    }
    Ok(each)
}

/// The programs of a C library: one for each of its functions, and for each property where each is looked at by itself. The library
/// is read once; each program is made when it is asked for, because all of them at once may need much memory.
pub struct Library {
    shared: Arc<Request>,
    language: &'static Language,
    target: Target,
    checked: frontend_c::Checked,
    sources: SourceMap,
    programs: Vec<(Symbol, Vec<Property>)>,
}

impl Library {
    /// Reads a library.
    pub fn read(request: &Request, functions: &[Symbol], each_property: bool) -> Result<Library, LoadError> {
        let mut sources = SourceMap::new();
        let (language, target) = match resolve(request, &mut sources) {
            Err(diagnostics) => return Err(LoadError::new(sources, diagnostics)),
            Ok(resolved) => resolved,
        };
        let checked = match frontend_c::read(&target.units, &options_c(request, &target), &mut sources) {
            Ok(checked) => checked,
            Err(diagnostics) => return Err(LoadError::new(sources, in_order(diagnostics))),
        };
        let properties: Vec<Vec<Property>> = match each_property {
            true => target.properties.iter().map(|property| vec![*property]).collect(),
            false => vec![target.properties.clone()],
        };
        let of = |function: &Symbol| properties.iter().map(|properties| (*function, properties.clone())).collect();
        let programs = functions.iter().flat_map(|function| -> Vec<_> { of(function) }).collect();
        Ok(Library { shared: Arc::new(request.clone()), language, target, checked, sources, programs })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.programs.len()
    }

    /// Makes the programs, one after the other.
    pub fn programs(&self) -> impl Iterator<Item = Result<Loaded, LoadError>> {
        self.programs.iter().map(|(entry, properties)| {
            let request = Request { entry: Some(entry.to_string()), ..Request::clone(&self.shared) };
            let mut target = Target { entry: *entry, properties: properties.clone(), ..self.target.clone() };
            separate(&mut target, frontend_c::can_check);
            match self.checked.program(&options_c(&request, &target), &self.sources) {
                Ok(program) => Ok(loaded(Arc::new(request), self.language, program, target, Vec::new())),
                Err(diagnostics) => Err(LoadError::new(SourceMap::new(), diagnostics)),
            }
        })
    }
}

/// Notes which of the properties cannot be checked.
fn separate(target: &mut Target, can_check: fn(&str) -> bool) {
    target.unsupported = target.properties.iter().filter(|p| !can_check(&p.to_string())).copied().collect();
}

/// The classes of the properties that can be checked.
fn classes(target: &Target) -> Vec<Symbol> {
    let supported = target.properties.iter().filter(|property| !target.unsupported.contains(property));
    supported.map(|property| Symbol::new(&property.to_string())).collect()
}

/// Follows a task definition, if there is one, and finds out what is to be checked.
fn resolve(request: &Request, sources: &mut SourceMap) -> Result<(&'static Language, Target), Vec<Diagnostic>> {
    let task = match TASKS.contains(&extension(&request.file).as_str()) {
        true => {
            let file = sources.read(&request.file).map_err(|error| vec![unreadable(&request.file, &error)])?;
            Some(parse_task(sources, file, &request.file).map_err(|diagnostic| vec![diagnostic])?)
        }
        false => None,
    };
    let (units, listed_model) = match &request.compile_commands {
        Some(list) => {
            let named = Some(&request.file).filter(|file| !file.as_os_str().is_empty());
            let named: Vec<PathBuf> = named.into_iter().chain(&request.linked).cloned().collect();
            let database = compile_commands::read(list, &named)?;
            (database.files, database.data_model)
        }
        None => {
            let first = task.as_ref().map_or(&request.file, |task| &task.program);
            let files = std::iter::once(first).chain(&request.linked);
            (files.map(|path| SourceFile::new(path)).collect(), None)
        }
    };
    let file = &units[0].path;
    let extension = extension(file);
    let Some(language) = LANGUAGES.iter().find(|l| l.extensions.contains(&extension.as_str())) else {
        let known = LANGUAGES.iter().flat_map(|l| l.extensions).chain(TASKS);
        let known: Vec<String> = known.map(|extension| format!(".{extension}")).collect();
        let message = format!("cannot tell the language of {} from its name", file.display());
        let help = format!("a program's name ends with one of {}", known.join(", "));
        return Err(vec![Diagnostic::without_place(Severity::Error, message).help(help)]);
    };

    let mut asked = Asked::default();
    let mut diagnostics = Vec::new();
    if request.cooperative && extension != "bpl" {
        let message = "--cooperative is for Boogie programs: in others no thread yields";
        diagnostics.push(Diagnostic::without_place(Severity::Error, message));
    }
    let is_c = |unit: &&SourceFile| LANGUAGES[0].extensions.contains(&self::extension(&unit.path).as_str());
    if let Some(other) = units.iter().find(|unit| !is_c(unit)).filter(|_| units.len() > 1) {
        let message = format!("{} cannot be linked with other files: only C programs can", other.path.display());
        diagnostics.push(Diagnostic::without_place(Severity::Error, message));
    }
    for property in &request.properties {
        diagnostics.extend(asked.add(property, sources).err());
    }
    for path in &request.automata {
        diagnostics.extend(asked.add_automaton(path, sources).err());
    }
    if request.properties.is_empty() && request.automata.is_empty() {
        for file in task.iter().flat_map(|task| &task.property_files) {
            diagnostics.extend(asked.add_file(file, sources).err());
        }
        // A program in the textual form names its properties itself.
        if asked.properties.is_empty() && extension != "ir" {
            asked.properties.push(Property::UnreachCall);
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let entry = request.entry.as_deref().map(Symbol::new).or(asked.entry).unwrap_or(Symbol::new("main"));
    let given = request.data_model.or(listed_model).or(task.as_ref().and_then(|task: &Task| task.data_model));
    let target = Target {
        file: file.clone(),
        units,
        data_model: given.unwrap_or(DataModel::Lp64),
        entry,
        properties: asked.properties,
        unsupported: Vec::new(),
        automata: asked.automata,
        candidates: Vec::new(),
        functions: Vec::new(),
    };
    Ok((language, target))
}

fn extension(file: &Path) -> String {
    file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// What the properties of a request say together.
#[derive(Default)]
struct Asked {
    properties: Vec<Property>,
    entry: Option<Symbol>,
    automata: Vec<Automaton>,
}

impl Asked {
    /// Adds what a user wrote behind `--property`.
    fn add(&mut self, text: &str, sources: &mut SourceMap) -> Result<(), Diagnostic> {
        if text == ALL {
            self.extend(Property::all().collect());
            return Ok(());
        }
        if let Some(properties) = Property::from_short_name(text) {
            self.extend(properties);
            return Ok(());
        }
        if text.trim_start().starts_with("CHECK") {
            let file = sources.add("--property", text.as_bytes().to_vec());
            return self.add_text(file, sources);
        }
        let path = Path::new(text);
        if path.exists() || path.extension().is_some_and(|extension| extension == "prp") {
            return self.add_file(path, sources);
        }
        let known: Vec<String> = Property::short_names().collect();
        Err(Diagnostic::without_place(Severity::Error, format!("`{text}` is no property that Fathom knows"))
            .note(format!("the short names are {}", known.join(", ")))
            .help("a property may also be a .prp file, or text such as `CHECK( init(main()), LTL(G valid-free) )`"))
    }

    fn add_automaton(&mut self, path: &Path, sources: &mut SourceMap) -> Result<(), Diagnostic> {
        let file = sources.read(path).map_err(|error| unreadable(path, &error))?;
        let automaton = automaton::parse(sources, file)?;
        self.extend(vec![Property::Automaton(automaton.name)]);
        self.automata.push(automaton);
        Ok(())
    }

    fn add_file(&mut self, path: &Path, sources: &mut SourceMap) -> Result<(), Diagnostic> {
        let file = sources.read(path).map_err(|error| unreadable(path, &error))?;
        self.add_text(file, sources)
    }

    fn add_text(&mut self, file: FileId, sources: &SourceMap) -> Result<(), Diagnostic> {
        let bytes = sources.text(file);
        let at = |offset: usize| {
            let end = (offset + 1).min(bytes.len());
            Span::new(file, offset.min(end) as u32, end as u32)
        };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            Diagnostic::error(at(error.valid_up_to()), "expected a property, found bytes that are no text")
        })?;
        let specification = parse_ltl(text).map_err(|SyntaxError { offset, expected }| {
            Diagnostic::error(at(offset), format!("expected {expected} in the property"))
        })?;
        self.entry = self.entry.or(specification.entry);
        self.extend(specification.properties);
        Ok(())
    }

    fn extend(&mut self, properties: Vec<Property>) {
        for property in properties {
            if !self.properties.contains(&property) {
                self.properties.push(property);
            }
        }
    }
}

fn read_ir(request: &Request, target: &mut Target, sources: &mut SourceMap, _: &mut Vec<String>) -> Read {
    let text = sources.read(&target.file).map_err(|error| vec![unreadable(&target.file, &error)])?;
    let errors = |errors: Vec<ir::ParseError>| errors.iter().map(|error| error.diagnostic(text)).collect::<Vec<_>>();
    let mut program = ir::parse_bytes(sources.text(text)).map_err(errors)?;
    let problem = |message: String| Diagnostic::without_place(Severity::Error, message);
    if let Some(name) = &request.entry {
        program.entry = program
            .find_procedure(name)
            .ok_or_else(|| vec![problem(format!("the program has no procedure `{name}` to start with"))])?;
    }
    if let Err(violations) = ir::validate(&program) {
        return Err(violations.iter().map(|violation| problem(violation.to_string())).collect());
    }
    if !target.properties.is_empty() {
        (program, target.unsupported) = select(program, &target.properties);
    }
    target.data_model = program.data_model;
    target.entry = program.procedure(program.entry).name;
    Ok(program)
}

fn options_c(request: &Request, target: &Target) -> frontend_c::Options {
    let is_task = TASKS.contains(&extension(&request.file).as_str());
    let usual = if is_task { MissingBodies::Pure } else { MissingBodies::default() };
    frontend_c::Options {
        includes: request.includes.clone(),
        defines: request.defines.clone(),
        entry: target.entry,
        properties: classes(target),
        automata: target.automata.clone(),
        malloc_may_fail: request.malloc_may_fail,
        registers: request.registers.clone(),
        missing_bodies: request.missing_bodies.unwrap_or(usual),
        pointers: request.pointers,
        sequential_consistency: request.sequential_consistency || is_task,
        ..frontend_c::Options::new(target.data_model)
    }
}

fn read_c(request: &Request, target: &mut Target, sources: &mut SourceMap, _: &mut Vec<String>) -> Read {
    separate(target, frontend_c::can_check);
    let options = options_c(request, target);
    let checked = frontend_c::read(&target.units, &options, sources).map_err(in_order)?;
    target.functions = functions_of_library(request, target, &checked);
    checked.program(&options, sources)
}

/// The functions of a library, where no entry was asked for.
fn functions_of_library(request: &Request, target: &Target, checked: &frontend_c::Checked) -> Vec<Symbol> {
    let is_asked = request.entry.is_some() || TASKS.contains(&extension(&request.file).as_str());
    if is_asked || target.entry.as_str() != "main" { Vec::new() } else { checked.library_functions() }
}

/// Some diagnostics can only be found when others have been looked for; a reader wants them in the order of the text.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|one| one.primary.as_ref().map(|label| (label.span.file, label.span.start)));
    diagnostics
}

fn text_c(request: &Request, target: &Target, sources: &mut SourceMap) -> Vec<FileId> {
    let options = options_c(request, target);
    let mut texts = Vec::new();
    for file in &target.units {
        let Ok(text) = frontend_c::text(file, &options, sources) else { continue };
        // Parsing registers the line markers.
        frontend_c::syntax::parse(sources, text);
        texts.push(text);
    }
    texts
}

fn read_boogie(request: &Request, target: &mut Target, sources: &mut SourceMap, remarks: &mut Vec<String>) -> Read {
    separate(target, frontend_boogie::can_check);
    // What a property file calls `main` is C's; a Boogie program says itself where it starts.
    let options = frontend_boogie::Options {
        entry: request.entry.as_deref().map(Symbol::new),
        properties: classes(target),
        cooperative: request.cooperative,
        candidates: request.candidates.clone(),
    };
    let loaded = match &request.concat[..] {
        [] => frontend_boogie::load(&target.file, &options, sources)?,
        more => {
            let text =
                joined(&target.file, more).map_err(|why| vec![Diagnostic::without_place(Severity::Error, why)])?;
            frontend_boogie::load_text(&target.file.to_string_lossy(), &text, &options, sources)?
        }
    };
    let place = |warning: &Diagnostic| warning.primary.as_ref().map(|label| sources.place(label.span));
    if let Some(first) = loaded.warnings.first() {
        let at = place(first).map_or_else(String::new, |place| format!("{place}: "));
        let others = match loaded.warnings.len() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more like this)"),
        };
        remarks.push(format!("{at}{}{others}", first.message));
    }
    target.entry = loaded.entry;
    target.candidates = loaded.candidates;
    Ok(loaded.program)
}

fn text_as_it_is(_: &Request, target: &Target, sources: &mut SourceMap) -> Vec<FileId> {
    sources.read(&target.file).into_iter().collect()
}

fn text_boogie(request: &Request, target: &Target, sources: &mut SourceMap) -> Vec<FileId> {
    match &request.concat[..] {
        [] => text_as_it_is(request, target, sources),
        more => {
            let text = joined(&target.file, more).ok();
            text.map(|text| sources.add(&target.file.to_string_lossy(), text.into())).into_iter().collect()
        }
    }
}

/// The texts of files, one after the other.
fn joined(first: &Path, more: &[PathBuf]) -> Result<String, String> {
    let mut text = String::new();
    for path in std::iter::once(first).chain(more.iter().map(PathBuf::as_path)) {
        let read = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        text.push_str(&read);
        text.push('\n');
    }
    Ok(text)
}

fn read_bp(_: &Request, target: &mut Target, sources: &mut SourceMap, _: &mut Vec<String>) -> Read {
    separate(target, frontend_bp::can_check);
    let options = frontend_bp::Options { entry: target.entry, properties: classes(target) };
    frontend_bp::load(&target.file, &options, sources)
}

/// The program as a Boolean program, or why it is none.
pub fn print_bp(program: &Program) -> Result<String, String> {
    frontend_bp::print::print(program)
}

/// The same, with choices of next values written as relations.
pub fn print_bp_relations(program: &Program, choices: &[(Term, Term)]) -> Result<String, String> {
    frontend_bp::print::print_relations(program, choices)
}

/// The program in Promela, after its calls are inlined, or why it cannot be written so.
pub fn print_promela(program: &Program) -> Result<String, String> {
    let passed = Form::Boolean.make(program, 1, Executions::All).map_err(|why| why.to_string())?;
    let open = interleaving::open_at_start(&passed.program).map_err(|why| why.to_string())?;
    frontend_bp::promela::print(&passed.program, &|variable| open.contains(&variable))
}

/// The abstraction of a linear program with arrays that tracks elements of arrays, as the engine `linear` makes it of the program without
/// memory; why there is none, otherwise.
pub fn print_linear(program: &Program, elements: &[(String, Vec<i64>)]) -> Result<String, String> {
    let form = Form::Procedures.make(program, 1, Executions::All).map_err(|why| why.to_string())?;
    let view = form.try_then(::linear::view).map_err(|why| why.to_string())?;
    ::linear::print(&view.program, elements)
}
