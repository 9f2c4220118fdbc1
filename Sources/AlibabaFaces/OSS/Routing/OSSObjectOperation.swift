import HTTPTypes
import WireFormats

/// Operations on an object.
enum OSSObjectOperation: Hashable {
    case putObject
    case getObject

    init(_ method: HTTPRequest.Method, _ key: String, _ query: FormFields, _ headers: HTTPFields) throws(OSSError) {
        switch method {
        case .put: self = .putObject
        case .get: self = .getObject
        default: throw .methodNotAllowed(method, on: "Object")
        }
    }

    var name: String {
        switch self {
        case .putObject: "PutObject"
        case .getObject: "GetObject"
        }
    }
}
