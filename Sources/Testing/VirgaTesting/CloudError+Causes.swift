import Cloud
import ControlFace
import ObjectStore
import Seeds
import VirgaServer

extension CloudError {
    /// Runs a function and replaces the errors of the engine by errors of this type. All other errors pass.
    static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch {
            throw translated(error)
        }
    }

    private static func translated(_ error: any Error) -> any Error {
        switch error {
        case let refusal as SandboxRefusal: CloudError(refusal)
        case let faults as SeedFaults: CloudError(.invalidSeed, faults.description)
        case let error as SeedError: CloudError(.invalidSeed, error.description)
        case StorageError.closed: CloudError(.stopped, "The cloud has stopped. Use it only until its scope ends.")
        case let error as StorageError: CloudError(.system, error.description)
        case let error as ListenError: CloudError(.system, error.description)
        default: error
        }
    }

    private init(_ refusal: SandboxRefusal) {
        self =
            switch refusal {
            case .invalidName(let name):
                CloudError(
                    .invalidArgument,
                    "'\(name)' is not a valid name. Use up to 40 lower-case letters, digits and hyphens, with a letter or digit at both ends."
                )
            case .reservedName(let name): CloudError(.invalidArgument, "The name '\(name)' is reserved. Choose another one.")
            case .noSuchSandbox(let name), .notOnDemand(let name), .notOpened(let name):
                CloudError(.stopped, "The sandbox '\(name)' was removed. Use a cloud only until its scope ends.")
            case .noSuchSnapshot(let name), .noSuchOrigin(let name):
                CloudError(.unknownSnapshot, "There is no snapshot '\(name)'. Take it first, with snapshot(\"\(name)\").")
            case .sandboxExists(let name), .snapshotExists(let name):
                CloudError(.invalidArgument, "The name '\(name)' is taken. Choose another one.")
            case .tooMany(let limit): CloudError(.system, "There are \(limit) sandboxes, which is the limit.")
            case .noFaults: CloudError(.invalidArgument, "There is no sandbox to copy rules for errors from.")
            case .noPortLeft(let range): CloudError(.system, "Every port of \(range) is taken.")
            case .noDescriptorLeft:
                CloudError(.system, "Few file descriptors are free. Raise the limit of open files (ulimit -n), or use fewer sandboxes.")
            case .isDefault: CloudError(.invalidArgument, "The first sandbox of a server cannot be removed.")
            case .sandboxFailed(let name):
                CloudError(.system, "The sandbox '\(name)' cannot be opened. The log of the server says why.")
            case .snapshotFailed(let name):
                CloudError(.system, "The snapshot '\(name)' cannot be used. The log of the server says why.")
            case .invalidFile(let reason): CloudError(.invalidArgument, "The file is not a snapshot: \(reason).")
            case .draining: CloudError(.stopped, "The server is being drained and creates no sandboxes.")
            case .stopping: CloudError(.stopped, "The cloud has stopped. Use it only until its scope ends.")
            }
    }

    init(_ error: FaultRuleError) {
        let message =
            switch error {
            case .noEffect: "The rule has no effect. Add error:, connection: or latency:."
            case .failureAndDrop: "'error' and 'connection' cannot be combined. Add two rules."
            case .latency: "'latency' must be at least zero and at most an hour."
            case .times: "'times' must be 1 or more, or .always."
            case .probability: "'probability' must be more than 0 and at most 1."
            case .unknownCode(let code):
                "The error code '\(code)' is unknown. Correct it, or add its status: .code(\"\(code)\", status: 400)."
            case .status: "The status of an error must be from 400 to 599."
            case .malformedCode: "An error code must be printable ASCII without spaces, quotation marks and backslashes."
            case .malformedMessage: "The message of an error must not have control characters."
            }
        self.init(.invalidArgument, message)
    }
}
