import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// What `GET /_virga/reach` is asked.
struct ReachQuestion: Sendable {
    /// What a caller does with an object, or with a bucket.
    enum Access: String, Sendable {
        case read, write, delete, list

        /// The action of S3.
        var actionOfS3: String {
            switch self {
            case .read: "s3:GetObject"
            case .write: "s3:PutObject"
            case .delete: "s3:DeleteObject"
            case .list: "s3:ListBucket"
            }
        }

        /// The action of OSS.
        var actionOfOSS: String {
            switch self {
            case .read: "oss:GetObject"
            case .write: "oss:PutObject"
            case .delete: "oss:DeleteObject"
            case .list: "oss:ListObjects"
            }
        }
    }

    /// A kind of callers.
    enum Kind: String, Sendable, CaseIterable {
        case person, user, role, session, root, anonymous
    }

    /// The most callers of one document.
    static let mostCallers = 100
    /// The most decisions of one document.
    static let mostDecisions = 10_000

    let access: Access
    /// The kinds of callers, in the order of the document.
    let kinds: [Kind]
    /// The bucket; `nil` for all.
    let bucket: String?
    /// The prefix in the bucket; `nil` for the first ones.
    let prefix: String?
    /// The number of callers before the first one of the document.
    let from: Int
    let limit: Int

    /// - Throws: ``ControlError`` for a parameter that is unknown or malformed.
    init(_ call: Call) throws(ControlError) {
        let query = try ControlFace.query(of: call, known: ["access", "kind", "bucket", "prefix", "from", "limit"])
        access = try Self.word("access", in: query, among: ReachMembers.accesses).flatMap(Access.init) ?? .read
        kinds = try Self.word("kind", in: query, among: ReachMembers.kinds).flatMap(Kind.init).map { [$0] } ?? Kind.allCases
        bucket = query.first("bucket").flatMap { $0.isEmpty ? nil : $0 }
        prefix = query.first("prefix").flatMap { $0.isEmpty ? nil : $0 }
        from = try Self.number("from", in: query, 0...1_000_000_000) ?? 0
        limit = try Self.number("limit", in: query, 1...Self.mostCallers) ?? 20
        guard prefix == nil || bucket != nil else {
            throw ControlError(.badRequest, "missing_filter", "'prefix' needs 'bucket': a prefix is one of a bucket's keys.")
        }
    }

    private static func word(_ name: String, in query: FormFields, among words: [String]) throws(ControlError) -> String? {
        guard let text = query.first(name) else { return nil }
        guard words.contains(text) else {
            throw ControlError(.badRequest, "malformed_filter", "'\(name)' must be one of \(words.joined(separator: ", ")).")
        }
        return text
    }

    private static func number(_ name: String, in query: FormFields, _ range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = query.first(name) else { return nil }
        guard let number = Int(digits: text), range.contains(number) else {
            throw ControlError(
                .badRequest, "malformed_filter", "'\(name)' must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
