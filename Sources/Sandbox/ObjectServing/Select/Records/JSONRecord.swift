import WireFormats

/// A record of JSON.
struct JSONRecord: SelectRecord {
    /// The value; `nil` if a path in FROM selected nothing.
    let node: JSONNode?
    /// Whether numbers are compared as text, so that all their digits count.
    let takesNumbersAsTexts: Bool
    var meter = SelectMeter()

    /// Returns the node of a column. `_1` is the record itself, unless it has a member of that name.
    func node(of column: SelectStatement.Column) throws(SelectValue.Mismatch) -> JSONNode? {
        guard let node else { return nil }
        try meter.spend(node.breadth * 20)
        if case .anyCaseName(let name)? = column.path.first {
            guard !node.isAmbiguous(name) else { throw SelectValue.Mismatch(.ambiguousColumn) }
            if name == "_1", node.nodes(column.path[..<1]).isEmpty { return try self.node(at: column.path[1...], in: node) }
        }
        return try self.node(at: column.path[...], in: node)
    }

    /// Returns the node that a path without wildcards selects.
    private func node(at path: ArraySlice<SelectStatement.Step>, in node: JSONNode) throws(SelectValue.Mismatch) -> JSONNode? {
        var node = node
        for index in path.indices {
            try meter.spend(node.breadth * 20)
            guard let next = node.nodes(path[index...index]).first else { return nil }
            node = next
        }
        return node
    }

    func value(of column: SelectStatement.Column, isMissing: inout Bool) throws(SelectValue.Mismatch) -> SelectValue {
        guard let node = try node(of: column) else {
            isMissing = true
            return .null
        }
        return node.value(takesNumbersAsTexts: takesNumbersAsTexts)
    }

    var everything: [(name: String, value: SelectValue)] {
        guard let node else { return [] }
        guard case .object(let members) = node.content else { return [(name: "_1", value: node.value(takesNumbersAsTexts: false))] }
        return members.map { (name: $0.name, value: $0.value.value(takesNumbersAsTexts: false)) }
    }
}

extension JSONNode {
    /// Converts the node to a value in an expression. Arrays and objects are kept as nodes.
    func value(takesNumbersAsTexts: Bool) -> SelectValue {
        guard let value = scalar else { return .composite(self) }
        switch value {
        case .null: return .null
        case .bool(let truth): return .boolean(truth)
        case .string(let text): return .text(text)
        default:
            let written = String(decoding: written, as: UTF8.self)
            return takesNumbersAsTexts ? .text(written) : SelectValue(number: written) ?? .text(written)
        }
    }
}
