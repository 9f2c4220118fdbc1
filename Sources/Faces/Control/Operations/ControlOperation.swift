import WireFormats

/// The operation that handles a call of the control API. The raw value is its name in the journal.
enum ControlOperation: String {
    case list = "/"
    case openAPI = "/openapi.json"
    case health = "/health"
    case ready = "/ready"
    case drain = "/drain"
    case metrics = "/metrics"
    case info = "/info"
    case principals = "/principals"
    case reach = "/reach"
    case buckets = "/buckets"
    case bucket = "/buckets/{name}"
    case userPoolCodes = "/user-pools/codes"
    case send = "/send"
    case presign = "/presign"
    case inspect = "/inspect"
    case reset = "/reset"
    case seed = "/seed"
    case compact = "/compact"
    case clock = "/clock"
    case tokens = "/tokens"
    case credentials = "/credentials"
    case certificates = "/certificates"
    case revokeCertificate = "/certificates/revoke"
    case keys = "/keys"
    case rotateKeys = "/keys/rotate"
    case journal = "/journal"
    case journalEntry = "/journal/{id}"
    case journalDiagram = "/journal/diagram"
    case capture = "/journal/capture"
    case verifyJournal = "/journal/verify"
    case usage = "/usage"
    case leastPolicy = "/usage/policy"
    case cloudTrail = "/usage/cloudtrail"
    case coverage = "/usage/coverage"
    case usageHistory = "/usage/history"
    case faults = "/faults"
    case faultCatalogue = "/faults/catalogue"
    case explain = "/explain"
    case authority = "/ca.pem"
    case providers = "/identity-providers"
    case serviceProviders = "/providers"
    case apps = "/providers/apps"
    case grants = "/providers/people/grants"
    case subjects = "/providers/people/subjects"
    case mobile = "/mobile"
    case sandboxes = "/sandboxes"
    case snapshots = "/snapshots"
    case classroom = "/class"

    /// Whether it concerns the process and not the sandbox that the request addresses.
    var isOfProcess: Bool {
        switch self {
        case .sandboxes, .snapshots, .classroom, .drain, .metrics: true
        default: false
        }
    }

    /// Whether it requires no token.
    var isOpen: Bool { self == .health || self == .ready || self == .authority }
}
