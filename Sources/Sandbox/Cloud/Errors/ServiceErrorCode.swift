package import HTTPTypes
import WireFormats

/// The error codes of a service. Each has one row, from which the response, the catalogue of faults and their documentation are made.
package protocol ServiceErrorCode: CaseIterable, Equatable, RawRepresentable<String>, Sendable {
    var row: ServiceErrorRow { get }
}

/// What a service sends with an error code.
package struct ServiceErrorRow: Sendable, Equatable {
    /// The code on the wire.
    package var code: String
    /// The status of the response.
    package var status: HTTPResponse.Status
    /// The default message.
    package var message: String
    /// OSS's default `EC` number: that of the exact cause.
    package var subcode: String

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String, subcode: String = "0000-00000000") {
        self.code = code
        self.status = status
        self.message = message
        self.subcode = subcode
    }
}

extension ServiceErrorCode {
    /// Finds the code with a text; `nil` if the service has none.
    package init?(rawValue: String) {
        guard let code = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = code
    }

    /// The code on the wire.
    package var rawValue: String { row.code }

    /// The status of the response.
    package var status: HTTPResponse.Status { row.status }

    /// The default message.
    package var message: String { row.message }

    /// The codes that a fault rule can inject. A redirect and a 304 are no errors: they say where an object is.
    static var faults: [String: FaultCatalogue.Entry] {
        allCases.reduce(into: [:]) { faults, code in
            guard code.status.kind != .redirection else { return }
            faults[code.rawValue] = FaultCatalogue.Entry(status: code.status, message: code.message)
        }
    }
}
