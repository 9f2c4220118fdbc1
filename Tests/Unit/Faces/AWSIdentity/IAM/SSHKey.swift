/// A key made by ssh-keygen, in the encodings that ssh-keygen wrote.
enum SSHKey {
    static let ssh =
        "ssh-rsa "
        + "AAAAB3NzaC1yc2EAAAADAQABAAABAQCSY2FZ+yAvfcDYmYe6p66FM/wIX+lEJzLnKMt1Ce1ZmKUb/Wn3iyNoYETPOe3+UBqLN+8xI6GgWyXqm4"
        + "oNlfNlZ2VzjNDiYHIpmmgRtVC3P51TlxOxKudg7DNI2DH6pAjn+K1rTyvxtjZAryRwAPQhXRuv/jG0X6huMFKWpwxwtqjltSFLh3cdHteh7ViS"
        + "q2NJLR9Jylu65ZUee9/sq4NOjI5XrImAmscxoZIYmxji7jz8PDdDHkr3rnQDUyOkr7p8zxS2Eo3RrSSWalX9/TfIer2Y2scdkUtaKC5c8K8COu"
        + "KxUkNcinbJ765sCPk1uMp4YNOC7jwVpdGBBuJx2Gtd"

    static let fingerprint = "a8:ea:23:6e:0e:b0:b0:9d:8c:c2:76:d4:6f:ca:6d:32"

    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkmNhWfsgL33A2JmHuqeu
        hTP8CF/pRCcy5yjLdQntWZilG/1p94sjaGBEzznt/lAaizfvMSOhoFsl6puKDZXz
        ZWdlc4zQ4mByKZpoEbVQtz+dU5cTsSrnYOwzSNgx+qQI5/ita08r8bY2QK8kcAD0
        IV0br/4xtF+objBSlqcMcLao5bUhS4d3HR7Xoe1YkqtjSS0fScpbuuWVHnvf7KuD
        ToyOV6yJgJrHMaGSGJsY4u48/Dw3Qx5K9650A1MjpK+6fM8UthKN0a0klmpV/f03
        yHq9mNrHHZFLWiguXPCvAjrisVJDXIp2ye+ubAj5NbjKeGDTgu48FaXRgQbicdhr
        XQIDAQAB
        -----END PUBLIC KEY-----

        """
}
