/// Encrypted texts of others, with the keys that decrypt them.
enum PublishedEncryptions {
    /// The plaintext of the next two (RFC 7520 section 5).
    static let frodo =
        "You can trust us to stick with you through thick and thin\u{2013}to the bitter end. And you can trust us to keep any secret of "
        + "yours\u{2013}closer than you keep it yourself. But you cannot trust us to let you face trouble alone, and go off without a word. "
        + "We are your friends, Frodo."

    /// ECDH-ES+A128KW with P-384, A128GCM (RFC 7520 section 5.4).
    static let wrapped =
        "eyJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImtpZCI6InBlcmVncmluLnRvb2tAdHVja2Jvcm91Z2guZXhhbXBsZSIsImVwayI6eyJrdHkiOiJFQy"
        + "IsImNydiI6IlAtMzg0IiwieCI6InVCbzRrSFB3Nmtiang1bDB4b3dyZF9vWXpCbWF6LUdLRlp1NHhBRkZrYllpV2d1dEVLNml1RURzUTZ3TmRO"
        + "ZzMiLCJ5Ijoic3AzcDVTR2haVkMyZmFYdW1JLWU5SlUyTW84S3BvWXJGRHI1eVBOVnRXNFBnRXdaT3lRVEEtSmRhWTh0YjdFMCJ9LCJlbmMiOi"
        + "JBMTI4R0NNIn0.0DJjBXri_kBcC46IkU5_Jk9BqaQeHdv2.mH-G2zVqgztUtnW_.tkZuOO9h95OgHJmkkrfLBisku8rGf6nzVxhRM3sVOhXgz5"
        + "NJ76oID7lpnAi_cPWJRCjSpAaUZ5dOR3Spy7QuEkmKx8-3RCMhSYMzsXaEwDdXta9Mn5B7cCBoJKB0IgEnj_qfo1hIi-uEkUpOZ8aLTZGHfpl0"
        + "5jMwbKkTe2yK3mjF6SBAsgicQDVCkcY9BLluzx1RmC3ORXaM0JaHPB93YcdSDGgpgBWMVrNU1ErkjcMqMoT_wtCex3w03XdLkjXIuEr2hWgeP-"
        + "nkUZTPU9EoGSPj6fAS-bSz87RCPrxZdj_iVyC6QWcqAu07WNhjzJEPc4jVntRJ6K53NgPQ5p99l3Z408OUqj4ioYezbS6vTPlQ.WuGzxmcreYj"
        + "pHGJoa17EBg"

    static let tookKey = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCJPHamTvBb4aomQdwS
        QVBvYQXJhw7tG6CZpbeZGtBUA5SI+iaZPQh2dgrbEOVmH6OhZANiAARhTitFTN2Z
        WqZG1Y6zY6kMT9Pl+w0ih1wbwbkVY+tM8zLGnOxI4ZpAul7YWnEGa7YDz7LEIfGR
        8HPeEpl8jWNRgyNSGwS95n1Me7AWMfawI122SxElTsPn5KSBoUvURM8=
        -----END PRIVATE KEY-----
        """
    static let tookName = "peregrin.took@tuckborough.example"

    /// ECDH-ES with P-256, A128CBC-HS256 (RFC 7520 section 5.5).
    static let direct =
        "eyJhbGciOiJFQ0RILUVTIiwia2lkIjoibWVyaWFkb2MuYnJhbmR5YnVja0BidWNrbGFuZC5leGFtcGxlIiwiZXBrIjp7Imt0eSI6IkVDIiwiY3"
        + "J2IjoiUC0yNTYiLCJ4IjoibVBVS1RfYkFXR0hJaGcwVHBqanFWc1AxclhXUXVfdndWT0hIdE5rZFlvQSIsInkiOiI4QlFBc0ltR2VBUzQ2ZnlX"
        + "dzVNaFlmR1RUMElqQnBGdzJTUzM0RHY0SXJzIn0sImVuYyI6IkExMjhDQkMtSFMyNTYifQ..yc9N8v5sYyv3iGQT926IUg.BoDlwPnTypYq-iv"
        + "jmQvAYJLb5Q6l-F3LIgQomlz87yW4OPKbWE1zSTEFjDfhU9IPIOSA9Bml4m7iDFwA-1ZXvHteLDtw4R1XRGMEsDIqAYtskTTmzmzNa-_q4F_ev"
        + "APUmwlO-ZG45Mnq4uhM1fm_D9rBtWolqZSF3xGNNkpOMQKF1Cl8i8wjzRli7-IXgyirlKQsbhhqRzkv8IcY6aHl24j03C-AR2le1r7URUhArM7"
        + "9BY8soZU0lzwI-sD5PZ3l4NDCCei9XkoIAfsXJWmySPoeRb2Ni5UZL4mYpvKDiwmyzGd65KqVw7MsFfI_K767G9C9Azp73gKZD0DyUn1mn0WW5"
        + "LmyX_yJ-3AROq8p1WZBfG-ZyJ6195_JGG2m9Csg.WCCkNa-x4BeB9hIDIfFuhg"

    static let brandybuckKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgr/kHyZ+a06rmxM3y
        ESK84r1otSg+aQcVStkRhA+iCM+hRANCAARl7aWhJXfCuugpQ3/jOHAaEKqjdeG7
        W13hCN5DnAhVHR5S7XVwEWP3+eQN3580Gz3JuoYK9+DKfKfp7s0AhNGc
        -----END PRIVATE KEY-----
        """
    static let brandybuckName = "meriadoc.brandybuck@buckland.example"

    /// RSA-OAEP-256, A256GCM, made by joserfc.
    static let rsa =
        "eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.DrsVeCz1w0x_4pVUA8nF-_KpnBum4CjB4u93i81UBY-toVfvM3Xb0i6wkD"
        + "mUOyLC0X8aFdahkYBd1LF5rNak6hWATurWlbfQm6q9xsQwVZi6DINLECgT3vg6s7fUaYbcIbbK5g9y2RnmdqYum4iRWhckJHA8lRz-yjdKzeax"
        + "tAjey9oyhKCYU4eIZUEjR4UkiMIF7xoxCiD4lLRu3SnaDBD8BLM5eKHhmb5fzjw-Dn_vbr0ejVbAY_ydOD4JPtSBhDSttg8u7fG15Jll5u6v0p"
        + "x7-PX3ckjNVtaVXew7e3I3Sd6SiP8WxcXfNA8E0k1wde4LdAl4dig_E-58Fj_tYg.V01939HVwJcEhz0Z.gMkA4HBK3juNNf4MbsK9IUgbOdAU"
        + "1A.lo2oueYTTfXk6n-NGLx4TA"

    static let rsaKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCp3toUqpJI0eNz
        hjWfVRGpQ4RxUM8cmY5wggzMFxQTUJMX/n3HI4yRHDYGTB0U/7iZF/rxMBd2J96o
        3OyNAdqXa3TuzvPAZLSclfGmqDogKehIlZSrHPVMCqSLWy2pWsnp/aBuaMDwpOuX
        cNTZmzME3Tq1CZdxHY4EDsxjrSd6l86ewRpDLXwG6S7z5NuDtw94pTQeWKW7Lx55
        Q67KGqoI+bo8Qh4GaufqBYeBrDRR2JG45KK2EDcdV0fh4mwrunwYTAB+Z8sSR3BH
        RSuWLB5QcrAf0ZOIK5/n8Id7qNo2wTJiR0f+2IqlDq9YVYgNSafIyON/K0ZTqurS
        ruuvGd0ZAgMBAAECggEARwUtGEbYMinOdpY+BQeEAsh/rwCiFsr8in1U7F8ZvZmK
        ZhW4cHGka2boD2nzHrxraVZlTEFXDcdNiDwVij6kLXp3wQA1WNLB0FXAWnUrGBdt
        Tit7pK7Ov6QTd0//nzaeBH5NfNu/Dt1kwkQiOXhxtC7qRJZmApzgq0GkomfagZ4Y
        ECZQb5uJXf+VCcizA8zPlCLrMQ4B25OlBVRfi5tt+vie/Y9s4UiWFfQxzqZNeGci
        SDST3/TqHzH1em+Rmo7GZjfQd9Jz+eh7N+AcN+wBEtpDA4invPQwdAi+B/wdkgnu
        yZjRGq/GrkbsrnUtf+vrh34PSKJmv8OL5o7cK1J1oQKBgQDVoxSM6OUiuZWKY72u
        GyvQxd2Xfp3eaUDWLRm07TtUobBB67YgTp3tee16mUTpMRlJSXxIoVMIvFBfvfuK
        xbAB8hRSPAoTF9gErIm9SH3dZQohWUlGzrL6nV5D1GMgpzDtJu+UswutNc0m3ghG
        mYZFLgJpfhh26G4VU3d1VUR7hwKBgQDLjgn6MzqWNFpqjG/b5RHnKeYwSDFL08kN
        1pPrEETSZCkpeeU2l4jkU76VXWCtbdctFbmPoWabitiFgtriM29ys/Mm+ZzEfp3d
        EDMPAP2fe2jzjT5r6lFHj0AZyihypT5+ATHt3PImVCVmytvn73PAANyJo1P+Q3O8
        qX8Kxe1KXwKBgQDICYRzkJsE0csBIvV3sf9r4+niMW+20s0f/mjkrYFxdFhq0T/e
        rl5X/2Pq+Nq6kvu/UKysAUqTkmibzXNb9FEi8T4v5gH08M2XSstKTjd0d2ht44Gm
        aGLUIUgjsRoEeChq1ptcm+3iCM+Ihjwvhw9fdX5SsvxLUsXI+DeRyP5vvwKBgDAH
        zALlo6VdpRgPGzXfz2GkWVR7NGaYCpDhWPXWWObsC2pmANfo2bxGpmnIJs/FY0iY
        H7jsdLGvCXg3cD5/tIR0QaOosn0LA2TuNZ4Mtcuz6wfNBDWijJs+CfoL4Y9rvlst
        HQLrZ5fzsv+WTl1j+wQLL/6qM1+DuwOBWyDHoz4xAoGADBbENcTSqU4urZc8jZ/J
        FctVvDOa7CGaUg5YWvYSyjJooh3wdl+zpgZEq6uHaHTqyfA0JvZAshQjmPm47ayg
        tsrRL+WcUgo7IzLWNI/v4qj1sf/X5Tyr1lO8rGQsECEPSNxPHsW+2hY4otUngLgs
        Fo8N3A8LIKNX3vyO1Qpga2s=
        -----END PRIVATE KEY-----
        """
    static let rsaPlaintext = "Live long and prosper."
}
