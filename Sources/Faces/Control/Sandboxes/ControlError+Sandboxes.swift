package import Calls
import HTTPTypes
import WireFormats

extension SandboxRefusal {
    /// The response of the control API.
    package var response: Response { ControlError(self).response }
}

extension ControlError {
    init(_ refusal: SandboxRefusal) {
        self =
            switch refusal {
            case .invalidName(let name):
                ControlError(
                    .badRequest, "invalid_name",
                    "'\(name.visible)' is not a valid name. Use up to 40 lower-case letters, digits and hyphens, with a letter or digit at both ends."
                )
            case .reservedName(let name):
                ControlError(.badRequest, "reserved_name", "The name '\(name.visible)' is reserved. Choose another one.")
            case .noSuchSandbox(let name):
                ControlError(
                    .notFound, "unknown_sandbox", "There is no sandbox '\(name.visible)'. Create it with POST /_virga/sandboxes.")
            case .notOnDemand(let name):
                ControlError(
                    .notFound, "unknown_sandbox",
                    "There is no sandbox '\(name.visible)'. A request creates it if it has the control token, or, without such a token, if it "
                        + "comes from a program on this machine.")
            case .notOpened(let name):
                ControlError(
                    .forbidden, "page_refused",
                    "The sandbox '\(name.visible)' is closed, and pages of other sites do not open it. Send it a request from a program, or "
                        + "open one of its pages in a tab.")
            case .noSuchSnapshot(let name):
                ControlError(
                    .notFound, "unknown_snapshot",
                    "There is no snapshot '\(name.visible)'. Take it with POST /_virga/sandboxes/NAME/snapshots.")
            case .noSuchOrigin(let name):
                ControlError(.notFound, "unknown_origin", "There is neither a snapshot nor a sandbox '\(name.visible)'.")
            case .sandboxExists(let name):
                ControlError(
                    .conflict, "sandbox_exists",
                    "There is a sandbox '\(name.visible)'. Use PUT /_virga/sandboxes/\(name.visible) to replace it.")
            case .snapshotExists(let name):
                ControlError(.conflict, "snapshot_exists", "There is a snapshot '\(name.visible)'. Send \"replace\": true to replace it.")
            case .tooMany(let limit):
                ControlError(
                    .tooManyRequests, "too_many_sandboxes",
                    "This process has \(limit) sandboxes, which is the limit. Delete one, or start virga with --sandboxes.")
            case .noFaults:
                ControlError(
                    .badRequest, "no_faults", "A snapshot has no rules for errors on demand. Name a sandbox in 'from', or leave out 'with'."
                )
            case .noPortLeft(let range):
                ControlError(
                    .conflict, "no_port_left",
                    "Every port of \(range) is taken. Delete a sandbox, or start virga with --sandbox-ports.")
            case .noDescriptorLeft:
                ControlError(
                    .conflict, "no_descriptor_left",
                    "Few file descriptors are free, and a port needs some. Delete a sandbox, or raise the limit of open files (ulimit -n).")
            case .isDefault:
                ControlError(.conflict, "default_sandbox", "The default sandbox cannot be removed or replaced. Restore or reset it.")
            case .sandboxFailed(let name):
                ControlError(
                    .serviceUnavailable, "sandbox_failed",
                    "The sandbox '\(name.visible)' cannot be opened. The log of the server says why.")
            case .snapshotFailed(let name):
                ControlError(
                    .serviceUnavailable, "snapshot_failed",
                    "The snapshot '\(name.visible)' cannot be used. The log of the server says why.")
            case .invalidFile(let reason):
                ControlError(.badRequest, "invalid_snapshot", "The file is not a snapshot: \(reason).")
            case .draining:
                ControlError(
                    .serviceUnavailable, "draining", "The server is being drained and creates no sandboxes. Use another server.")
            case .stopping: ControlError(.serviceUnavailable, "stopping", "The server is about to stop.")
            }
    }
}
