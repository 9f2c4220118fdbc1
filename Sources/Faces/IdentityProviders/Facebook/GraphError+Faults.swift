import Calls
import Cloud
import HTTPTypes
import WireFormats

extension GraphError {
    /// Creates an injected error. AWS codes are translated to Graph API errors with the same meaning; numbers are used as they are, with a
    /// subcode as `190/460`.
    init(_ fault: InjectedFault) {
        let failure = fault.failure
        if let entry = FaultCatalogue.graphEntry(failure.code) {
            self.init(message: entry.message, code: entry.code, subcode: entry.subcode, isTransient: entry.isTransient)
            status = HTTPResponse.Status(code: entry.status)
        } else {
            let numbers = failure.code.split(separator: "/", maxSplits: 1).map { Int($0) }
            self.init(message: failure.code, code: (numbers.first ?? nil) ?? 1, subcode: numbers.count == 2 ? numbers[1] : nil)
        }
        if let message = failure.message { self.message = message }
        if let status = failure.status { self.status = HTTPResponse.Status(code: status) }
    }
}
