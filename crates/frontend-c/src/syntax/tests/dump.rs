//! Syntax trees as S-expressions, for tests to compare.
//!
//! A type reads from the name outwards: `(ptr (fn (int) void))` is a pointer to a function. Parts that are absent leave
//! nothing behind.

use crate::syntax::*;

/// All items of a unit, one per line.
pub(super) fn dump(unit: &TranslationUnit) -> String {
    let dump = Dump(unit);
    unit.items.iter().map(|item| dump.item(item)).collect::<Vec<_>>().join("\n")
}

struct Dump<'a>(&'a TranslationUnit);

/// `(head parts...)` without empty parts.
fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let parts = std::iter::once(head.to_string()).chain(parts).filter(|part| !part.is_empty()).collect::<Vec<_>>();
    format!("({})", parts.join(" "))
}

fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Dump<'_> {
    fn item(&self, item: &Item) -> String {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(asm) => self.asm(asm),
            Item::Function(function) => {
                let head = self.entity(&function.specifiers, &function.declarator);
                let old_style = function.old_style.iter().map(|declaration| self.declaration(declaration));
                list("function", [head, join(old_style), self.stmt(function.body)])
            }
        }
    }

    fn declaration(&self, declaration: &Declaration) -> String {
        let specifiers = &declaration.specifiers;
        if declaration.declarators.is_empty() {
            return list("declare", [self.specifiers(specifiers), self.base(specifiers)]);
        }
        let declarators = declaration.declarators.iter().map(|part| {
            let entity = self.entity(specifiers, &part.declarator);
            list("declare", [entity, part.init.map_or(String::new(), |init| self.expr(init))])
        });
        join(declarators)
    }

    fn static_assert(&self, assertion: &StaticAssert) -> String {
        let message = assertion.message.as_ref().map_or(String::new(), |text| format!("{text:?}"));
        list("static-assert", [self.expr(assertion.condition), message])
    }

    /// Storage, name, type and attributes of what a declarator declares.
    fn entity(&self, specifiers: &Specifiers, declarator: &Declarator) -> String {
        let name = declarator.name.map_or(String::new(), |name| name.symbol.to_string());
        let label = declarator.asm_label.map_or(String::new(), |label| list("asm", [format!("{label:?}")]));
        let ty = self.ty(specifiers, declarator);
        join([self.specifiers(specifiers), name, ty, self.attributes(&declarator.attributes), label])
    }

    /// All about specifiers but the type.
    fn specifiers(&self, specifiers: &Specifiers) -> String {
        let flag = |is_set: bool, word: &str| if is_set { word.to_string() } else { String::new() };
        let storage = specifiers.storage.map_or(String::new(), |storage| format!("{storage:?}").to_lowercase());
        let thread = flag(specifiers.is_thread_local, "thread");
        let noreturn = flag(specifiers.is_noreturn, "noreturn");
        let attributes = self.attributes(&specifiers.attributes);
        join([storage, thread, flag(specifiers.is_inline, "inline"), noreturn, attributes])
    }

    fn ty(&self, specifiers: &Specifiers, declarator: &Declarator) -> String {
        declarator.derived.iter().rev().fold(self.base(specifiers), |base, derived| match derived {
            Derived::Pointer(qualifiers) => list("ptr", [words(*qualifiers), base]),
            Derived::Array(array) => {
                let size = match array.size {
                    ArraySize::Unspecified => "?".to_string(),
                    ArraySize::Star => "*".to_string(),
                    ArraySize::Expr(size) => self.expr(size),
                };
                let is_static = if array.is_static { "static" } else { "" };
                list("array", [is_static.to_string(), words(array.qualifiers), size, base])
            }
            Derived::Function(Parameters::Unspecified) => list("fn", ["?".to_string(), base]),
            Derived::Function(Parameters::OldStyle(names)) => {
                list("fn", [join(names.iter().map(|name| name.symbol.to_string())), base])
            }
            Derived::Function(Parameters::Prototype { parameters, is_variadic }) => {
                let variadic = if *is_variadic { "..." } else { "" };
                let shown = parameters.iter().map(|parameter| {
                    let text = self.entity(&parameter.specifiers, &parameter.declarator);
                    if parameter.declarator.name.is_some() { format!("({text})") } else { text }
                });
                list("fn", [format!("({})", join(shown.chain([variadic.to_string()]))), base])
            }
        })
    }

    /// The type that specifiers name, with its qualifiers.
    fn base(&self, specifiers: &Specifiers) -> String {
        let ty = match specifiers.ty {
            TypeSpecifier::Basic(basic) => word(basic),
            TypeSpecifier::Complex(basic) => list("complex", [word(basic)]),
            TypeSpecifier::Typedef(name) => name.to_string(),
            TypeSpecifier::Record(id) => self.record(&self.0[id]),
            TypeSpecifier::Enum(id) => self.enumeration(&self.0[id]),
            TypeSpecifier::TypeofExpr(expr) => list("typeof", [self.expr(expr)]),
            TypeSpecifier::TypeofType(ty) => list("typeof-type", [self.type_name(ty)]),
            TypeSpecifier::Atomic(ty) => list("atomic", [self.type_name(ty)]),
            TypeSpecifier::Auto => "auto-type".to_string(),
        };
        join([words(specifiers.qualifiers), ty])
    }

    fn record(&self, record: &Record) -> String {
        let kind = if record.kind == RecordKind::Struct { "struct" } else { "union" };
        let members = record.members.as_ref().map_or(String::new(), |members| {
            let shown = members.iter().map(|member| match member {
                MemberItem::StaticAssert(assertion) => self.static_assert(assertion),
                MemberItem::Members(members) => self.members(members),
            });
            format!("{{{}}}", join(shown))
        });
        let pack = record.pack.map_or(String::new(), |pack| list("pack", [pack.to_string()]));
        list(kind, [tag(record.tag), members, self.attributes(&record.attributes), pack])
    }

    fn members(&self, members: &MemberDeclaration) -> String {
        if members.declarators.is_empty() {
            return list("member", [self.base(&members.specifiers)]);
        }
        join(members.declarators.iter().map(|member| {
            let width = member.bit_width.map_or(String::new(), |width| format!(": {}", self.expr(width)));
            list("member", [self.entity(&members.specifiers, &member.declarator), width])
        }))
    }

    fn enumeration(&self, enumeration: &Enum) -> String {
        let enumerators = enumeration.enumerators.as_ref().map_or(String::new(), |enumerators| {
            let shown = enumerators.iter().map(|one| match one.value {
                Some(value) => list(one.name.symbol.as_str(), [self.expr(value)]),
                None => one.name.symbol.to_string(),
            });
            format!("{{{}}}", join(shown))
        });
        list("enum", [tag(enumeration.tag), enumerators, self.attributes(&enumeration.attributes)])
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        join(attributes.iter().map(|attribute| match &attribute.kind {
            AttributeKind::Aligned(Some(size)) => format!("@aligned({})", self.expr(*size)),
            AttributeKind::AlignasExpr(size) => format!("@alignas({})", self.expr(*size)),
            AttributeKind::AlignasType(ty) => format!("@alignas-type({})", self.type_name(*ty)),
            AttributeKind::VectorSize(size) => format!("@vector({})", self.expr(*size)),
            AttributeKind::Constructor(Some(priority)) => format!("@constructor({})", self.expr(*priority)),
            other => format!("@{other:?}").to_lowercase(),
        }))
    }

    fn type_name(&self, id: TypeNameId) -> String {
        let name = &self.0[id];
        join([self.specifiers(&name.specifiers), self.ty(&name.specifiers, &name.declarator)])
    }

    fn stmts(&self, ids: &[StmtId]) -> String {
        join(ids.iter().map(|id| self.stmt(*id)))
    }

    fn stmt(&self, id: StmtId) -> String {
        let optional = |id: Option<ExprId>| id.map_or("_".to_string(), |id| self.expr(id));
        match &self.0[id].kind {
            StmtKind::Empty => ";".to_string(),
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::LocalLabels(names) => list("labels", names.iter().map(|name| name.symbol.to_string())),
            StmtKind::Block(items) => format!("{{{}}}", self.stmts(items)),
            StmtKind::If(arms, otherwise) => {
                let arms = arms.iter().flat_map(|arm| [self.expr(arm.condition), self.stmt(arm.then)]);
                list("if", arms.chain(otherwise.iter().map(|stmt| self.stmt(*stmt))))
            }
            StmtKind::Switch(value, body) => list("switch", [self.expr(*value), self.stmt(*body)]),
            StmtKind::While(condition, body) => list("while", [self.expr(*condition), self.stmt(*body)]),
            StmtKind::DoWhile(body, condition) => list("do", [self.stmt(*body), self.expr(*condition)]),
            StmtKind::For(parts) => {
                let init = parts.init.map_or("_".to_string(), |init| self.stmt(init));
                list("for", [init, optional(parts.condition), optional(parts.step), self.stmt(parts.body)])
            }
            StmtKind::Labelled(labels, body) => {
                let labels = labels.iter().map(|label| match &label.kind {
                    LabelKind::Case(value) => list("case", [self.expr(*value)]),
                    LabelKind::CaseRange(first, last) => list("case", [self.expr(*first), self.expr(*last)]),
                    LabelKind::Default => "default".to_string(),
                    LabelKind::Named(name, _) => name.to_string(),
                });
                list("label", [join(labels), self.stmt(*body)])
            }
            StmtKind::Goto(label) => list("goto", [label.symbol.to_string()]),
            StmtKind::GotoComputed(target) => list("goto*", [self.expr(*target)]),
            StmtKind::Break => "(break)".to_string(),
            StmtKind::Continue => "(continue)".to_string(),
            StmtKind::Return(value) => list("return", value.map(|value| self.expr(value))),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn asm(&self, asm: &Asm) -> String {
        let flag = |is_set: bool, word: &str| if is_set { word.to_string() } else { String::new() };
        let operands = |operands: &[AsmOperand]| {
            let shown = operands.iter().map(|operand| {
                let name = operand.name.map_or(String::new(), |name| format!("[{}]", name.symbol));
                join([name, format!("{:?}", operand.constraint), self.expr(operand.value)])
            });
            format!("[{}]", join(shown))
        };
        let clobbers = format!("{:?}", asm.clobbers);
        let labels = join(asm.labels.iter().map(|label| label.symbol.to_string()));
        let flags = join([flag(asm.is_volatile, "volatile"), flag(asm.is_goto, "goto")]);
        let template = format!("{:?}", asm.template);
        list("asm", [flags, template, operands(&asm.outputs), operands(&asm.inputs), clobbers, labels])
    }

    fn expr(&self, id: ExprId) -> String {
        let two = |head: &str, a: ExprId, b: ExprId| list(head, [self.expr(a), self.expr(b)]);
        match &self.0[id].kind {
            ExprKind::Name(name) => name.to_string(),
            ExprKind::Int(literal) => int(literal),
            ExprKind::Float(literal) => format!("{}{}", literal.digits, suffix(literal)),
            ExprKind::Char(literal) => format!("{:?}:{}", literal.encoding, literal.value).to_lowercase(),
            ExprKind::String(literal) => string(literal),
            ExprKind::Unary(op, operand) => list(unary(*op), [self.expr(*operand)]),
            ExprKind::Binary(op, left, right) => two(binary(*op), *left, *right),
            ExprKind::Assign(op, left, right) => two(&format!("{}=", op.map_or("", binary)), *left, *right),
            ExprKind::Conditional(condition, None, otherwise) => two("?:", *condition, *otherwise),
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                list("?", [self.expr(*condition), self.expr(*then), self.expr(*otherwise)])
            }
            ExprKind::Cast(ty, operand) => list("cast", [self.type_name(*ty), self.expr(*operand)]),
            ExprKind::CompoundLiteral(ty, braces) => list("literal", [self.type_name(*ty), self.expr(*braces)]),
            ExprKind::Braces(items) => {
                let shown = items.iter().map(|item| match item.designators.as_slice() {
                    [] => self.expr(item.value),
                    path => format!("({} {})", self.path(path), self.expr(item.value)),
                });
                format!("{{{}}}", join(shown))
            }
            ExprKind::Call(callee, arguments) => {
                list("call", std::iter::once(callee).chain(arguments).map(|argument| self.expr(*argument)))
            }
            ExprKind::Index(base, index) => two("index", *base, *index),
            ExprKind::Member(base, field, is_arrow) => {
                list(if *is_arrow { "->" } else { "." }, [self.expr(*base), field.to_string()])
            }
            ExprKind::SizeofExpr(operand) => list("sizeof", [self.expr(*operand)]),
            ExprKind::SizeofType(ty) => list("sizeof-type", [self.type_name(*ty)]),
            ExprKind::AlignofExpr(operand) => list("alignof", [self.expr(*operand)]),
            ExprKind::AlignofType(ty) => list("alignof-type", [self.type_name(*ty)]),
            ExprKind::Generic(control, arms) => {
                let arms = arms.iter().map(|arm| {
                    let ty = arm.ty.map_or("default".to_string(), |ty| self.type_name(ty));
                    format!("({ty} {})", self.expr(arm.value))
                });
                list("generic", std::iter::once(self.expr(*control)).chain(arms))
            }
            ExprKind::Statements(block) => list("statements", [self.stmt(*block)]),
            ExprKind::LabelAddress(label) => list("&&", [label.to_string()]),
            ExprKind::VaArg(arguments, ty) => list("va-arg", [self.expr(*arguments), self.type_name(*ty)]),
            ExprKind::Offsetof(ty, path) => list("offsetof", [self.type_name(*ty), self.path(path)]),
            ExprKind::TypesCompatible(a, b) => list("compatible", [self.type_name(*a), self.type_name(*b)]),
            ExprKind::Choose(condition, then, otherwise) => {
                list("choose", [self.expr(*condition), self.expr(*then), self.expr(*otherwise)])
            }
        }
    }

    fn path(&self, path: &[Designator]) -> String {
        let step = |designator: &Designator| match designator {
            Designator::Field(name, _) => format!(".{name}"),
            Designator::Index(index) => format!("[{}]", self.expr(*index)),
            Designator::Range(first, last) => format!("[{} ... {}]", self.expr(*first), self.expr(*last)),
        };
        path.iter().map(step).collect()
    }
}

fn tag(tag: Option<Name>) -> String {
    tag.map_or(String::new(), |tag| tag.symbol.to_string())
}

/// A basic type in one word.
fn word(basic: Basic) -> String {
    format!("{basic:?}").to_lowercase()
}

fn words(qualifiers: Qualifiers) -> String {
    let flag = |is_set: bool, word: &str| if is_set { word.to_string() } else { String::new() };
    join([
        flag(qualifiers.is_const, "const"),
        flag(qualifiers.is_volatile, "volatile"),
        flag(qualifiers.is_restrict, "restrict"),
        flag(qualifiers.is_atomic, "_Atomic"),
    ])
}

fn int(literal: &IntLiteral) -> String {
    let value = match literal.base {
        Base::Decimal => literal.value.to_string(),
        Base::Octal => format!("{:#o}", literal.value),
        Base::Hexadecimal => format!("{:#x}", literal.value),
        Base::Binary => format!("{:#b}", literal.value),
    };
    let length = match literal.length {
        IntLength::None => "",
        IntLength::Long => "l",
        IntLength::LongLong => "ll",
    };
    format!("{value}{}{length}", if literal.unsigned { "u" } else { "" })
}

fn suffix(literal: &FloatLiteral) -> String {
    match literal.suffix {
        FloatSuffix::None => String::new(),
        FloatSuffix::Float => "f".to_string(),
        FloatSuffix::LongDouble => "l".to_string(),
        FloatSuffix::Sized(basic) => word(basic),
    }
}

fn string(literal: &StringLiteral) -> String {
    let text: String = literal.units.iter().map(|unit| char::from_u32(*unit).unwrap_or('?')).collect();
    match literal.encoding {
        Encoding::Plain => format!("{text:?}"),
        other => format!("{}:{text:?}", format!("{other:?}").to_lowercase()),
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "*",
        UnaryOp::AddressOf => "&",
        UnaryOp::PreIncrement => "++",
        UnaryOp::PreDecrement => "--",
        UnaryOp::PostIncrement => "post++",
        UnaryOp::PostDecrement => "post--",
        UnaryOp::Real => "real",
        UnaryOp::Imag => "imag",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Comma => ",",
    }
}
