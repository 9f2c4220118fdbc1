package import Calls
package import Cloud
package import HTTPTypes
package import WireFormats

/// The response of a face, with its body collected.
package struct FaceAnswer {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]
    package var journal: JournalEntry

    package init(_ response: Response, _ journal: JournalEntry) async throws {
        status = Int(response.status.code)
        fields = response.headers
        body = try await response.collectedBody()
        self.journal = journal
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var xml: XMLElement { get throws { try XMLElement(parsing: body) } }

    /// The `Code` of an error document.
    package var code: String? { try? xml.child("Code")?.text }

    /// Returns the text of an element of an error document.
    package func detail(_ name: String) -> String? { try? xml.child(name)?.text }

    package subscript(name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// Returns the bytes of a header as sent.
    package func bytes(of name: HTTPField.Name) -> [UInt8]? {
        fields.first { $0.name == name }?.withUnsafeBytesOfValue { Array($0) }
    }
}
