import Calls
import Cloud
import ObjectStore
import WireFormats

/// The document of a CompleteMultipartUpload request.
struct CompletionRequest: Equatable {
    struct Part: Equatable {
        var number: Int
        /// The ETag as sent, without quotes.
        var entityTag: String
        /// The checksums as sent in base64, at most one for each algorithm.
        var checksums: [Checksum.Algorithm: String]
    }

    /// The parts in ascending order; not empty.
    var parts: [Part]

    /// Parses the document.
    /// - Throws: `MalformedXML`, also for an empty list; `InvalidArgument` for a part number out of range; `InvalidPartOrder`.
    init(_ element: XMLElement, uploadID: String) throws(S3Error) {
        parts = []
        for child in element.children {
            guard child.name == "Part" else { throw S3Error(.malformedXML) }
            let part = try Part(child)
            // The last one of equal part numbers applies. (ceph/s3-tests, test_multipart_resend_first_finishes_last, which is not marked
            // as failing with AWS as its neighbours are. No measurement of AWS is public.)
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
