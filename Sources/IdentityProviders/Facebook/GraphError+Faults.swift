import Calls
import Cloud
import HTTPTypes

extension GraphError {
    /// An error on demand in the Graph API's words: codes of AWS in those that mean the same, numbers as they are, with a subcode as
    /// `190/460`.
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
