package import Calls
import NIOCore
import Synchronization

extension RequestBody {
    /// Returns a body that is truncated.
    /// - Parameter text: The part that arrives.
    package static func cutOff(after text: String = "") -> RequestBody { RequestBody(arriving: CutOffContent(text)) }
}

private final class CutOffContent: ArrivingContent {
    private let rest: Mutex<String?>

    init(_ text: String) { rest = Mutex(text.isEmpty ? nil : text) }

    func next() async throws -> ByteBuffer? {
        let text = rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
        guard let text else { throw ContentCutOff() }
        return ByteBuffer(string: text)
    }
}
