import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One request to one machine.
struct VendingCall: Sendable {
    let http: Call
    let machine: VendingMachine
    /// Below the machine; begins with a slash.
    let path: String
    let sessions: SessionTokens

    var cloud: Cloud { http.cloud }
    var vending: VendingMachines { http.cloud.directory.vending }

    /// How far a request's time may be from ours, either way.
    private static let allowedSkew = Duration.seconds(15 * 60)

    /// Bytes of a form that are read; no parameter has more than a few hundred.
    private static let formLimit = 1 << 16

    /// The endpoint as clients may spell it: the host, the host with its port, and the machine's path behind it, without scheme.
    ///
    /// The server's own spelling is the host alone. Clients take the text of their configuration, which has a port wherever the server
    /// is not at the usual one.
    var endpoints: [String] {
        let authority = http.authority.lowercased()
        let base = String(http.path.dropLast(path.count))
        return [http.host, authority] + (base.isEmpty ? [] : [authority + base])
    }

    /// The parameters of query and form; what cannot be read counts as not being there, as in a servlet container.
    func parameters() async throws -> VendingParameters {
        var fields = FormFields(parsing: http.query) ?? [:]
        if http.method == .post {
            do {
                fields.fields += try await http.form(upTo: Self.formLimit).fields
            } catch is FormFault {}
        }
        return VendingParameters(fields: fields)
    }

    /// Refuses a request whose time is more than a quarter of an hour from ours. The client knows the wall clock alone.
    func check(timestamp text: String) throws(VendingRefusal) {
        // Milliseconds may be missing, as the SDK's parser has it; the zone is always universal time.
        guard text.hasSuffix("Z"), let time = Timestamp(iso8601: text),
            (http.arrived - Self.allowedSkew...http.arrived + Self.allowedSkew).contains(time)
        else { throw VendingRefusal(.requestTimeout) }
    }

    /// Notes who calls, and lets errors on demand have their way: nothing has been done yet.
    /// - Throws: `InjectedFault`.
    func enter(_ operation: String, as caller: String?) async throws {
        http.note(operation: operation)
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.meetFaults(
            FaultableCall(service: "tvm", action: operation, caller: caller, resources: [path, http.path]))
    }

    /// An answer of one line, or of none.
    func answer(_ line: String?, status: HTTPResponse.Status = .ok) -> Response {
        // `ServletOutputStream.println` ends lines so.
        let text = line.map { $0 + "\r\n" } ?? ""
        return Response(
            status: status, contentType: "text/plain; charset=UTF-8", headers: [.expires: http.arrived.httpDate], text: text)
    }

    func refuse(_ refusal: VendingRefusal) -> Response {
        http.note(errorCode: String(refusal.status.code), message: refusal.text)
        return answer(refusal.text, status: refusal.status)
    }
}

/// The parameters of a request as servlets read them.
struct VendingParameters {
    var fields: FormFields

    /// The first value of the name without blanks around it.
    /// - Throws: a refusal if there is none, or nothing but blanks.
    func required(_ name: String) throws(VendingRefusal) -> String {
        // Java's `trim` takes off whatever is no greater than a space.
        let scalars = (fields.first(name) ?? "").unicodeScalars
        let value = scalars.drop { $0.value <= 0x20 }.reversed().drop { $0.value <= 0x20 }.reversed()
        guard !value.isEmpty else { throw VendingRefusal(.badRequest) }
        return String(String.UnicodeScalarView(value))
    }
}

/// A refusal of a machine: a status with a line of text.
struct VendingRefusal: Error, Equatable {
    var status: HTTPResponse.Status
    /// In the place of the machine's own, where somebody asked for it.
    var message: String?

    init(_ status: HTTPResponse.Status) { self.status = status }

    /// An error on demand. The machines know statuses alone, so that a code counts by the status that AWS answers it with.
    init(_ fault: InjectedFault) {
        status = fault.entry(in: .query).status
        message = fault.failure.message
    }

    /// The machine's text for the status; it prints what it looked up, also where it found nothing.
    var text: String {
        if let message { return message }
        return switch status.code {
        case 401: "Error matching signature"
        case 408: "Timestamp not valid"
        case 500: "Server Error"
        default: "null"
        }
    }
}
