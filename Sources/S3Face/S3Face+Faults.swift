import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import WireFormats

extension S3Face {
    /// The one place where errors on demand reach S3: the signature is good, and nothing of the operation has been done, so that
    /// content that the client still wants to send is not read.
    func meetFaults(
        _ call: Call, _ operation: S3Operation, _ authenticated: Authenticated?, _ bucketFromHost: String?
    ) async throws {
        var resources = [call.path]
        if let address = try? S3Operation.address(path: call.path, bucketFromHost: bucketFromHost) {
            resources.append("arn:aws:s3:::\(address.bucket ?? "")\(address.key.map { "/\($0)" } ?? "")")
        }
        try await call.meetFaults(
            FaultableCall(service: "s3", action: operation.name, caller: authenticated?.caller.arn, resources: resources))
    }

    /// The error document with the code that was asked for, which may be none of S3's.
    func refuse(_ fault: InjectedFault, _ call: Call) -> Response {
        var (status, message) = fault.entry(in: .s3)
        if let code = S3Error.Code(rawValue: fault.failure.code) {
            if fault.failure.status == nil { status = code.status }
            if fault.failure.message == nil { message = code.message }
        }
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
