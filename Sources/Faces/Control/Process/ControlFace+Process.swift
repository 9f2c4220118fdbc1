import Calls
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `GET /_virga/ready`: whether load balancers and tests should send requests.
    func answerReady() throws(ControlError) -> Response {
        guard isReady() else {
            throw ControlError(.serviceUnavailable, "not_ready", "The command of --on-ready is still running.")
        }
        if process?.isDraining == true {
            throw ControlError(.serviceUnavailable, "draining", "The server is being drained. DELETE /_virga/drain ends that.")
        }
        return .json(["status": "ready"])
    }

    /// `/_virga/drain`: POST begins to drain the process, DELETE ends that, GET returns the state.
    func answerDrain(_ call: Call) async throws -> Response {
        let process = try runningProcess()
        switch call.method {
        case .post:
            try await body(of: call, isOptional: true).expect(only: [])
            process.drain(true)
        case .delete: process.drain(false)
        default: break
        }
        return .json([
            "status": process.isDraining ? "draining" : "serving", "connections": .integer(Int64(process.openConnections)),
        ])
    }

    /// `GET /_virga/metrics`: returns the metrics of the process in the text format that Prometheus asks for.
    func answerMetrics(_ call: Call) throws -> Response {
        let isOpenMetrics = call.headers[values: .accept].contains { $0.contains("application/openmetrics-text") }
        return Response(
            status: .ok,
            contentType: isOpenMetrics
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8",
            text: try runningProcess().metrics(isOpenMetrics: isOpenMetrics))
    }

    private func runningProcess() throws(ControlError) -> any ServerProcess {
        guard let process else { throw ControlError(.notImplemented, "no_process", "This call needs a server process.") }
        return process
    }
}
