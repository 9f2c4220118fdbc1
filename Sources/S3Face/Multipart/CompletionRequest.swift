import Calls
import Cloud
import ObjectStore
import WireFormats

/// The document that CompleteMultipartUpload takes.
struct CompletionRequest: Equatable {
    struct Part: Equatable {
        var number: Int
        /// As sent, without quotes.
        var entityTag: String
        /// At most one for each kind, as sent in base 64.
        var checksums: [Checksum.Algorithm: String]
    }

    /// In ascending order; not empty.
    var parts: [Part]

    /// - Throws: `MalformedXML`, also for no part; `InvalidArgument` for a number out of range; `InvalidPartOrder`.
    init(_ element: XMLElement, uploadID: String) throws(S3Error) {
        parts = []
        for child in element.children {
            guard child.name == "Part" else { throw S3Error(.malformedXML) }
            let part = try Part(child)
            // A part that was sent twice counts as the later one.
            if parts.last?.number == part.number { parts.removeLast() }
            parts.append(part)
        }
        guard !parts.isEmpty else { throw S3Error(.malformedXML) }
        for (part, next) in zip(parts, parts.dropFirst()) where part.number > next.number {
            throw S3Error(.invalidPartOrder, nil, ["UploadId": uploadID])
        }
    }
}

extension CompletionRequest.Part {
    init(_ element: XMLElement) throws(S3Error) {
        var number: Int?
        var entityTag: String?
        checksums = [:]
        for child in element.children {
            switch child.name {
            case "PartNumber":
                guard let value = Int(decimal: child.text) else { throw S3Error(.malformedXML) }
                number = value
            case "ETag": entityTag = String(unquoted(child.text))
            default:
                guard let algorithm = Checksum.Algorithm.allCases.first(where: { $0.element == child.name }) else {
                    throw S3Error(.malformedXML)
                }
                checksums[algorithm] = child.text
            }
        }
        guard let number, let entityTag else { throw S3Error(.malformedXML) }
        guard number >= 1 else {
            throw .invalidArgument("PartNumber must be >= 1", name: "PartNumber", value: String(number))
        }
        guard number <= 10_000 else { throw .invalidPartNumber(String(number)) }
        self.number = number
        self.entityTag = entityTag
    }
}
