import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import WireFormats

extension S3Face {
    /// Applies injected faults to a request. It is called after the signature has been verified and before the operation starts, so that
    /// the body of a failed request is not read.
    func applyFaults(
        _ call: Call, _ operation: S3Operation, _ authenticated: Authenticated?, _ bucketFromHost: String?
    ) async throws {
        var resources = [call.path]
        if let address = try? S3Operation.address(path: call.path, bucketFromHost: bucketFromHost) {
            resources.append("arn:aws:s3:::\(address.bucket ?? "")\(address.key.map { "/\($0)" } ?? "")")
        }
        try await call.applyFaults(
            FaultableCall(service: "s3", action: operation.name, caller: authenticated?.caller.arn, resources: resources))
    }

    /// Returns an error document for an injected fault. Its code need not be one of S3's.
    func refuse(_ fault: InjectedFault, _ call: Call) -> Response {
        let (status, message) = fault.entry(in: .s3)
        call.note(errorCode: fault.failure.code, message: message)
        var headers = call.s3Headers()
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        guard call.method != .head else { return Response(status: status, headers: headers) }
        var xml = XMLWriter()
        xml.declaration()
        xml.element("Error") { xml in
            xml.element("Code", fault.failure.code)
            xml.element("Message", message)
            xml.element("RequestId", call.id.text)
            xml.element("HostId", call.id.hostID)
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: xml.bytes)))
    }
}
