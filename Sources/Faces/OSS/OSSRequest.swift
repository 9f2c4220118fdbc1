import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// A parsed and authenticated OSS request. Its operations are in extensions, one file for each group.
final class OSSRequest: Sendable {
    let face: OSSFace
    let call: Call
    let address: OSSAddress
    /// The decoded query.
    let query: FormFields
    /// The verified signature; `nil` for an anonymous request.
    let authenticated: Authenticated?
    /// The caller and condition keys of a query about access decisions; `nil` for an actual request.
    let assumption: AccessAssumption?

    init(
        face: OSSFace, call: Call, address: OSSAddress, query: FormFields, authenticated: Authenticated?,
        assumption: AccessAssumption? = nil
    ) {
        self.face = face
        self.call = call
        self.address = address
        self.query = query
        self.authenticated = authenticated
        self.assumption = assumption
    }

    var headers: HTTPFields { call.headers }
    var caller: Caller { authenticated?.caller ?? assumption?.caller ?? .anonymous }
    var objects: ObjectStore { call.cloud.objects }
    var clock: SandboxClock { call.cloud.clock }

    func perform(_ operation: OSSOperation) async throws -> Response {
        switch operation {
        case .service(let operation): try await perform(operation)
        case .bucket(let name, let operation): try await perform(operation, on: bucket(name))
        case .object(let address, let operation): try await perform(operation, on: address, in: bucket(address.bucket))
        case .createBucket(let name): try await createBucket(name)
        case .preflight(let name, let isObject): try preflight(name, isObject: isObject)
        }
    }

    /// Returns the bucket with this name.
    /// - Throws: `NoSuchBucket`.
    func bucket(_ name: String) throws(OSSError) -> Bucket {
        guard let bucket = objects.bucket(named: name, for: .alibaba) else { throw .noSuchBucket(name) }
        return bucket
    }

    /// Returns the object through which the request changes objects of a bucket.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: caller, call, events: face.events) }

    /// Returns a response with the headers that every response of OSS has.
    /// - Parameter fields: further headers, in order.
    func answer(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:]) -> Response {
        Response(status: status, headers: call.ossHeaders(and: fields))
    }

    /// Returns a response with an XML document without a namespace.
    func answer(
        _ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], root: String, capacity: Int = 1024,
        _ content: (inout XMLWriter) -> Void
    ) -> Response {
        Response(status: status, headers: call.ossHeaders(and: fields), root: root, capacity: capacity, content)
    }
}

extension Call {
    /// Returns the headers that every response of OSS has. (OSS API Reference, "Common HTTP headers".) They are in lowercase, because some
    /// SDKs compare them case-sensitively.
    /// - Parameter further: the headers that follow them, in order.
    func ossHeaders(and further: HTTPFields = [:]) -> HTTPFields {
        var headers = HTTPFields()
        headers.reserveCapacity(16)
        headers.append(HTTPField(name: .server, value: "AliyunOSS"))
        headers.append(HTTPField(name: .ossRequestID, value: id.longText))
        headers.append(HTTPField(name: .ossServerTime, value: String(max(0, cloud.clock.wall.milliseconds - arrived.milliseconds))))
        for field in further { headers.append(field) }
        return headers
    }
}
