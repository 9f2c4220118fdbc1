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
    /// The path below the machine; begins with a slash.
    let path: String
    let sessions: SessionTokens

    var cloud: Cloud { http.cloud }
    var vending: VendingMachines { http.cloud.directory.vending }

    /// The maximum difference between a request's time and ours, in either direction.
    private static let allowedSkew = Duration.seconds(15 * 60)

    /// The maximum size of a form in bytes; no parameter has more than a few hundred.
    private static let formLimit = 1 << 16

    /// The possible forms of the endpoint at clients: the host, the host with its port, and that with the machine's path, without scheme.
    ///
    /// The server's own form is the host alone. Clients use the text of their configuration, which contains a port unless the server
    /// uses the default one.
    var endpoints: [String] {
        let authority = http.authority.lowercased()
        let base = String(http.path.dropLast(path.count))
        return [http.host, authority] + (base.isEmpty ? [] : [authority + base])
    }

    /// Reads the parameters of query and form. Malformed ones count as absent, as in a servlet container.
    func parameters() async throws -> VendingParameters {
        var fields = http.queryFields ?? [:]
        if http.method == .post {
            do {
                fields.fields += try await http.form(upTo: Self.formLimit).fields
            } catch is FormFault {}
        }
        return VendingParameters(fields: fields)
    }

    /// Rejects a request whose time differs from ours by more than 15 minutes. Clients use the wall clock.
    func check(timestamp text: String) throws(VendingRefusal) {
        // Milliseconds may be missing, as in the SDK's parser; the time is always UTC.
        guard text.hasSuffix("Z"), let time = Timestamp(iso8601: text),
            (http.arrived - Self.allowedSkew...http.arrived + Self.allowedSkew).contains(time)
        else { throw VendingRefusal(.requestTimeout) }
    }

    /// Records the caller, and applies errors on demand before the call has any effect.
    /// - Throws: `InjectedFault`.
    func enter(_ operation: String, as caller: String?) async throws {
        http.note(operation: operation)
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.applyFaults(
            FaultableCall(service: "tvm", action: operation, caller: caller, resources: [path, http.path]))
    }

    /// Returns a response with one line, or with none.
    func answer(_ line: String?, status: HTTPResponse.Status = .ok) -> Response {
        // The line end of `ServletOutputStream.println`.
        let text = line.map { $0 + "\r\n" } ?? ""
        return Response(
            status: status, contentType: "text/plain; charset=UTF-8", headers: [.expires: http.arrived.httpDate], text: text)
    }

    func refuse(_ refusal: VendingRefusal) -> Response {
        http.note(errorCode: String(refusal.status.code), message: refusal.text)
        return answer(refusal.text, status: refusal.status)
    }
}

/// The parameters of a request, read as servlets do.
struct VendingParameters {
    var fields: FormFields

    /// Returns the first value of the name, without white space around it.
    /// - Throws: the error if there is none or it is blank.
    func required(_ name: String) throws(VendingRefusal) -> String {
        // Java's `trim` removes every character up to the space.
        let scalars = (fields.first(name) ?? "").unicodeScalars
        let value = scalars.drop { $0.value <= 0x20 }.reversed().drop { $0.value <= 0x20 }.reversed()
        guard !value.isEmpty else { throw VendingRefusal(.badRequest) }
        return String(String.UnicodeScalarView(value))
    }
}

/// An error of a machine: a status with a line of text.
struct VendingRefusal: Error, Equatable {
    var status: HTTPResponse.Status
    /// The message of an error on demand, which replaces the machine's own.
    var message: String?

    init(_ status: HTTPResponse.Status) { self.status = status }

    /// Creates an error on demand. The machines have only statuses, so a code is translated to AWS's status for it.
    init(_ fault: InjectedFault) {
        status = fault.entry(in: .query).status
        message = fault.failure.message
    }

    /// The machine's text for the status. Without a text for it, the machine prints `null`.
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
