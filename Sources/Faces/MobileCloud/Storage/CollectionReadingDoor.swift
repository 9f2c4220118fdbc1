import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// What collections add to the read of an object: the words for refusals. The collection's own policies were asked before. Collections have no
/// customer keys and no way to restore an archived object.
struct CollectionReadingDoor: ReadingDoor {
    typealias Failure = any Error

    let request: Storage.CollectionCall
    /// The object's identifier in its collection.
    let id: String
    let policy: ReadPolicy

    /// - Parameter method: HEAD, which reads no content, or GET.
    init(_ request: Storage.CollectionCall, _ id: String, _ method: HTTPRequest.Method) {
        self.request = request
        self.id = id
        policy = ReadPolicy(archive: method == .head ? .never : .whenOpened)
    }

    func permit(_ record: ObjectRecord) {}

    func permitAbsence() {}

    func error(for refusal: ReadRefusal) -> any Error {
        switch refusal {
        case .missing, .deleteMarker: Storage.unknown(id, in: request)
        case .customerKey:
            MobileError(.forbidden, "The object '\(id)' was written through S3 and is encrypted with a customer-provided key.")
        case .archived:
            MobileError(.forbidden, "The object '\(id)' is archived. Restore it through S3 before reading it.")
        case .conditionFailed(let condition): Storage.failed(condition, id)
        case .unsatisfiableRange(_, let size):
            MobileError(.rangeNotSatisfiable, "The object has \(size) bytes.", headers: [.contentRange: "bytes */\(size)"])
        // Collections read no parts.
        case .invalidPartNumber, .missingPart, .rangeOfPart: MobileError(.malformedRequest, "An object has no parts here.")
        case .store(let error): Storage.error(error)
        }
    }
}
