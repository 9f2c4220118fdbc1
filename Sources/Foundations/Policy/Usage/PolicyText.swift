package import WireFormats

/// A policy as formatted JSON, with the lines of its statements.
package struct PolicyText: Sendable {
    /// The document, with one member per line.
    package let text: String
    /// The line of each statement's opening brace, from 1.
    package let lines: [Int]

    /// Formats a policy document.
    package init(_ json: JSONValue) {
        text = json.serialized(pretty: true) + "\n"
        let statements = json["Statement"].map { $0.arrayValue ?? [$0] } ?? []
        let ends = StatementPositions.find(in: text).map(\.end.line)
        // A statement takes as many lines in the document as alone.
        lines = zip(ends, statements).map { end, statement in
            end - statement.serialized(pretty: true).utf8.count { $0 == UInt8(ascii: "\n") }
        }
    }
}

extension PolicyDocument {
    /// The Sid and the effect of each statement.
    package var outline: [(sid: String?, isDeny: Bool)] { statements.map { ($0.sid, $0.effect == .deny) } }
}
