import ControlFace
import WireFormats

/// The rules for the names of sandboxes and snapshots: they are labels of host names and names of folders.
enum SandboxName {
    /// The name of the sandbox that exists from the start.
    static let defaultName = "default"

    /// The snapshot of a cloud that the seeds of the process have just filled. No caller can name it.
    static let seedSnapshot = ".seed"

    /// Whether callers can name a snapshot.
    static func isPublic(_ snapshot: String) -> Bool { snapshot != seedSnapshot }

    /// Labels of services, and words with another meaning where a name is expected.
    private static let reserved: Set<String> = [defaultName, "s3", "sts", "iam", "oss", "tvm", "www", "seed", "nothing"]

    /// The maximum length of a name.
    private static let longest = 40

    /// - Throws: ``SandboxRefusal/invalidName(_:)`` or ``SandboxRefusal/reservedName(_:)``.
    static func check(_ name: String) throws(SandboxRefusal) {
        guard hasForm(name) else { throw .invalidName(name) }
        guard !reserved.contains(name) else { throw .reservedName(name) }
    }

    /// Whether a sandbox or a snapshot can have a name.
    static func isFree(_ name: String) -> Bool { hasForm(name) && !reserved.contains(name) }

    /// Whether a text has the form of a name.
    static func hasForm(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, let last = bytes.last else { return false }
        return bytes.count <= longest && isLetterOrDigit(first) && isLetterOrDigit(last)
            && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
