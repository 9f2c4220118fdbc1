import WireFormats

extension AlibabaCourse {
    func programs(of page: WalkPage) -> [WalkProgram] {
        let walk = page.walk
        guard walk.credentials != nil, !walk.files.bucket.isEmpty else { return [] }
        let url = page.visit.place.services
        switch method {
        case .appServer:
            let person = account.appServer?.people.first { $0.name == walk.person }
            return [
                python(
                    walk, url,
                    """
                    keys = requests.get(url + "/distribute-token.json", params={
                        "user": \(quoted(person?.name ?? "")), "password": \(quoted(person?.password ?? ""))}).json()
                    """)
            ]
        case .oidc:
            return [
                python(
                    walk, url,
                    """
                    keys = requests.post(url, data={
                        "Action": "AssumeRoleWithOIDC", "Version": "2015-04-01", "Format": "JSON", "RoleArn": \(quoted(walk.order.roleARN)),
                        "RoleSessionName": \(quoted(walk.order.sessionName)), "OIDCProviderArn": \(quoted(account.providerARN)),
                        "OIDCToken": \(quoted(walk.token?.text ?? ""))}).json()["Credentials"]
                    """)
            ]
        case .assumeRole: return [sdk(walk, url)]
        case .selfSigned: return [shell(walk, url)]
        }
    }

    private func quoted(_ text: String) -> String { CodeExport.quoted(text) }

    private func reading(_ walk: Walk) -> String {
        """
        auth = oss2.StsAuth(
            keys["AccessKeyId"], keys["AccessKeySecret"], keys["SecurityToken"], auth_version=\(quoted(walk.files.store == .ossV1 ? "v1" : "v4")))
        bucket = oss2.Bucket(auth, url, \(quoted(walk.files.bucket)), region="cn-hangzhou", is_path_style=True)
        print(bucket.get_object(\(quoted(Experiment.ownKey(of: walk)))).read().decode())
        """
    }

    private func python(_ walk: Walk, _ url: String, _ getting: String) -> WalkProgram {
        WalkProgram(
            name: "Python (oss2)",
            code: """
                import oss2, requests

                url = \(quoted(url))
                \(getting)
                \(reading(walk))
                """)
    }

    private func sdk(_ walk: Walk, _ url: String) -> WalkProgram {
        let user = account.users.first { $0.name == self.user } ?? account.users.first
        let parts = url.split(separator: "://", maxSplits: 1).map(String.init)
        return WalkProgram(
            name: "Python (alibabacloud-sts20150401, oss2)",
            code: """
                import oss2
                from alibabacloud_sts20150401 import client, models
                from alibabacloud_tea_openapi.models import Config

                url = \(quoted(url))
                sts = client.Client(Config(
                    access_key_id=\(quoted(user?.accessKeyID ?? "")), access_key_secret=\(quoted(user?.secret ?? "")),
                    endpoint=\(quoted(parts.last ?? "")), protocol=\(quoted(parts.first ?? "http"))))
                keys = sts.assume_role(models.AssumeRoleRequest(
                    role_arn=\(quoted(walk.order.roleARN)), role_session_name=\(quoted(walk.order.sessionName)),
                    policy=\(walk.order.policy.isEmpty ? "None" : quoted(walk.order.policy)))).body.credentials.to_map()
                \(reading(walk))
                """)
    }

    private func shell(_ walk: Walk, _ url: String) -> WalkProgram {
        let key = Experiment.ownKey(of: walk)
        return WalkProgram(
            name: "curl",
            code: """
                date=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
                authorization=$(printf 'GET\\n\\n\\n%s\\n%s' "$date" \(CodeExport.shell("/\(walk.files.bucket)/\(key)")) |
                  curl --silent --header 'Content-Type: text/plain' --data-binary @- \(CodeExport.shell(url + "/sign")))
                curl --silent --header "Date: $date" --header "Authorization: $authorization" \\
                  \(CodeExport.shell(url + WalkActions.target(key, in: walk)))
                """)
    }
}
