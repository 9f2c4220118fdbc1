import Synchronization
import WireFormats

/// The documents of one revision of a bucket's configuration as values, each parsed on first use.
///
/// Copies of the bucket share it. A changed configuration has a new instance.
final class ParsedDocuments: Sendable {
    private struct Key: Hashable {
        var document: BucketDocument
        /// The type of the value: a document can be read in several ways.
        var type: ObjectIdentifier
    }

    private let values = Mutex<[Key: any Sendable]>([:])

    fileprivate func value<Value: Sendable, Failure: Error>(
        _ document: BucketDocument, _ parse: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let key = Key(document: document, type: ObjectIdentifier(Value.self))
        if let known = values.withLock({ $0[key] }) as? Value { return known }
        let value = try parse()
        values.withLock { $0[key] = value }
        return value
    }
}

extension ParsedDocuments: Hashable {
    /// The texts of the documents determine the values, so buckets do not differ by them.
    static func == (_: ParsedDocuments, _: ParsedDocuments) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension Bucket {
    /// Returns a document of the configuration, parsed. The value is kept until the configuration changes.
    ///
    /// All callers that use the same type for a document must parse it in the same way.
    /// - Parameter parse: parses the text, which was validated when it was put.
    /// - Returns: `nil` if the bucket has no such document.
    /// - Throws: the errors of `parse`.
    package func parsed<Value: Sendable, Failure: Error>(
        _ document: BucketDocument, _ parse: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let text = configuration.documents[document] else { return nil }
        return try documents.value(document) { () throws(Failure) in try parse(text) }
    }
}
