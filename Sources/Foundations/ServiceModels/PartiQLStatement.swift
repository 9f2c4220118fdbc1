import WireFormats

/// What a statement of PartiQL for DynamoDB does, and with which table. (DynamoDB Developer Guide, "PartiQL - a SQL-compatible query
/// language for Amazon DynamoDB".)
///
/// Only the words at the beginning are read. A statement that could be read in another way is refused.
struct PartiQLStatement: Equatable {
    /// The action, such as `PartiQLSelect`.
    let action: String
    /// The name or the ARN of the table.
    let table: String
    /// The index of a SELECT; `nil` if it is the table itself.
    let index: String?

    /// Reads a statement; `nil` if it is not understood.
    init?(_ text: String) {
        guard let tokens = Self.tokens(of: text) else { return nil }
        var words = tokens[...]
        // `EXISTS(SELECT …)` is a condition of a transaction, which needs the permission to select.
        if words.first?.isWord("exists") == true {
            words = words.dropFirst()
            guard words.popFirst() == Token.symbol("(") else { return nil }
            guard words.first?.isWord("select") == true else { return nil }
        }
        guard let verb = words.popFirst() else { return nil }
        if verb.isWord("select") {
            action = "PartiQLSelect"
            // A nested query would read another table.
            guard let from = words.firstIndex(where: { $0.isWord("from") }), words[from...].dropFirst().allSatisfy({ !$0.isWord("from") }),
                !words.contains(where: { $0.isWord("select") || $0.isWord("join") })
            else { return nil }
            words = words[from...].dropFirst()
        } else if verb.isWord("insert") {
            action = "PartiQLInsert"
            guard words.popFirst()?.isWord("into") == true else { return nil }
        } else if verb.isWord("update") {
            action = "PartiQLUpdate"
        } else if verb.isWord("delete") {
            action = "PartiQLDelete"
            guard words.popFirst()?.isWord("from") == true else { return nil }
        } else {
            return nil
        }
        guard case .name(let table, _)? = words.popFirst(), !table.isEmpty else { return nil }
        self.table = table
        if words.first == Token.symbol(".") {
            words = words.dropFirst()
            guard action == "PartiQLSelect", case .name(let index, _)? = words.popFirst(), !index.isEmpty else { return nil }
            self.index = index
        } else {
            index = nil
        }
        // Further tables would follow behind a comma or another name of the table, further statements behind a semicolon.
        guard words.first.map({ Self.endsTable($0) }) != false, !words.contains(Token.symbol(";")) else { return nil }
    }

    /// Whether a token can follow the table of a statement. (DynamoDB Developer Guide, "PartiQL select, update, insert and delete statements".)
    private static func endsTable(_ next: Token) -> Bool {
        next == Token.symbol(")") || ["order", "remove", "returning", "set", "value", "where"].contains { next.isWord($0) }
    }

    /// A token of a statement.
    enum Token: Equatable {
        /// A name or keyword; without its quotes if it has some.
        case name(String, isQuoted: Bool)
        /// A text in single quotes.
        case text
        /// Another character.
        case symbol(String)

        /// Texts are equal if their bytes are.
        static func == (left: Token, right: Token) -> Bool {
            switch (left, right) {
            case (.name(let left, let isQuoted), .name(let right, let alsoQuoted)): left == right && isQuoted == alsoQuoted
            case (.text, .text): true
            case (.symbol(let left), .symbol(let right)): left == right
            default: false
            }
        }

        /// Returns whether the token is a keyword, in any case.
        /// - Parameter keyword: the keyword in lowercase.
        func isWord(_ keyword: String) -> Bool {
            if case .name(let text, false) = self { text.lowercasedASCII == keyword } else { false }
        }
    }

    /// Returns the tokens of a statement; `nil` for a quote that is not closed, and for comments, which readers treat differently.
    private static func tokens(of text: String) -> [Token]? {
        guard !text.contains("--"), !text.contains("/*"), !text.contains("`") else { return nil }
        var tokens: [Token] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20: continue
            case 0x22, 0x27:
                guard let content = quoted(by: byte, &rest) else { return nil }
                tokens.append(byte == 0x22 ? .name(content, isQuoted: true) : .text)
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:
                let end = rest.firstIndex { !isNameByte($0) } ?? rest.endIndex
                tokens.append(.name(String(decoding: [byte] + rest[..<end], as: UTF8.self), isQuoted: false))
                rest = rest[end...]
            default: tokens.append(.symbol(String(decoding: [byte], as: UTF8.self)))
            }
        }
        return tokens
    }

    /// Returns the text up to the closing quote, where a doubled quote is one quote, and removes it from the rest.
    private static func quoted(by quote: UInt8, _ rest: inout ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == quote else {
                bytes.append(byte)
                continue
            }
            guard rest.first == quote else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(quote)
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        // Letters, digits, underscore, and the hyphen, which names of tables have without quotes, too.
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}

extension ServiceModel {
    /// Returns the permissions that a statement needs.
    func permissions(forStatement text: String, _ scope: CallScope) throws(UndecidableCall) -> [RequiredPermission] {
        guard let statement = PartiQLStatement(text), let table = types["table"], let index = types["index"] else { throw .statement(text) }
        let resource =
            if let name = statement.index {
                try index.resource([statement.table, name], in: scope)
            } else {
                try table.resource([statement.table], in: scope)
            }
        return [RequiredPermission("\(name):\(statement.action)", on: resource)]
    }
}
