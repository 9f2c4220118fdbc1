import Calls
import Federation
import HTTPTypes
import ObjectServing
import WireFormats

extension OutboundClient {
    /// Fetches the document of an identity provider or an application.
    /// - Throws: an error that prevented a response.
    func fetch(_ url: String) async throws -> FetchedDocument {
        let response = try await send(OutboundRequest(url: url, headers: [.accept: "application/json"]))
        let cacheControl = response.headers[values: .cacheControl]
        return FetchedDocument(
            status: response.status, body: response.body, cacheControl: cacheControl.isEmpty ? nil : cacheControl.joined(separator: ","))
    }

    /// Posts a form to an application.
    /// - Returns: the status of the response.
    /// - Throws: an error that prevented a response.
    func post(_ url: String, form: String) async throws -> Int {
        try await send(
            .message(to: url, headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8))
        ).status
    }

    /// Posts an event message to its destination.
    /// - Returns: whether the destination responded with a 2xx status.
    func deliver(_ parcel: EventParcel) async -> Bool {
        var headers: HTTPFields = [:]
        for field in parcel.fields {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        headers[.userAgent] = "Amazon Simple Notification Service Agent"
        let message = OutboundRequest.message(to: parcel.url, headers: headers, body: parcel.body)
        guard let response = try? await Trace.$current.withValue(parcel.context, operation: { try await send(message) }) else {
            return false
        }
        return (200..<300).contains(response.status)
    }
}

extension OutboundRequest {
    /// Returns a message whose response body is not needed.
    fileprivate static func message(to url: String, headers: HTTPFields, body: [UInt8]) -> Self {
        var request = OutboundRequest(method: .post, url: url, headers: headers, body: body)
        request.needsContent = false
        return request
    }
}
