import Cloud
import Exchange
import HTTPTypes

extension OSSRequest {
    func perform(_ operation: OSSObjectOperation, on address: OSSObjectAddress, in bucket: Bucket) async throws -> Response {
        switch operation {
        case .putObject, .getObject: throw OSSError(.notImplemented)
        }
    }
}
