"""Secrets: every form of them in every place, and what only looks like one."""

from __future__ import annotations

import base64
import json
import random
import string
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.secrets import FORMS, RANDOM

from core.sources.code.secrets import SECRET, redacted

PLACES = {
    "code": 'value = "{}"',
    "comment": '# for tests: "{}"',
    "block comment": "/* '{}' */",
    "array": '["a", "{}", "b"]',
    "call": "connect('{}')",
    "docstring": '"""Use `{}` here."""',
    "notebook": '{{"source": ["key = \\"x\\"", "{}"]}}',
    "script": "curl -H 'X-Api-Key: {}'",
}


@pytest.mark.thorough
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS)
def test_a_known_form_is_replaced_wherever_it_stands(form: str, place: str) -> None:
    if form == "random" and place == "script":
        pytest.skip("without quotes, only its name tells that it is a secret")
    text = PLACES[place].format(FORMS[form])
    cleaned, found = redacted(text)
    assert FORMS[form] not in cleaned
    assert SECRET in cleaned
    assert found >= 1


NAMED = {  # a value that only its name gives away
    "python": 'password = "{}"',
    "annotated": 'password: str = "{}"',
    "default": 'def f(password="{}"): ...',
    "keyword": 'connect(api_key="{}")',
    "dict": '{{"client_secret": "{}"}}',
    "subscript": 'settings["DB_PASSWORD"] = "{}"',
    "environ": 'os.environ.setdefault("API_KEY", "{}")',
    "setter": 'config.setPassword("{}")',
    "wrapped": 'secret = SecretStr("{}")',
    "constant": "const ACCESS_TOKEN = '{}';",
    "typed": 'private static final String PASSWORD = "{}";',
    "go": 'passphrase := "{}"',
    "ruby": ":password => '{}',",
    "compared": 'if password == "{}":',
    "next line": 'token = (\n    "{}"\n)',
    "comment": "# password: {}",
    "dotenv": "DB_PASSWORD={}",
    "shell": "export AUTH_TOKEN={}",
    "yaml": "api_key: {}",
    "command": "tool --token {} run",
    "connection string": "Server=db;User Id=me;Password={};Encrypt=true",
    "url": "postgres://me:{}@db.example/shop",
    "login": "curl -u me:{} https://example",
    "bearer": '"Authorization": "Bearer {}"',
    "xml": "<password>{}</password>",
    "attribute": '<add key="ApiKey" value="{}"/>',
    "environment of a container": "env:\n- name: DB_PASSWORD\n  value: {}",
    "the same in JSON": '{{"name": "DB_PASSWORD", "value": "{}"}}',
    "terraform": 'variable "db_password" {{\n  default = "{}"\n}}',
    "dockerfile": "ENV DB_PASSWORD {}",
    "macro": '#define API_TOKEN "{}"',
    "fallback": "const token = process.env.TOKEN || '{}';",
    "nothing else": "const secret = env.SECRET ?? '{}';",
    "or": 'password = os.getenv("DB_PASSWORD") or "{}"',
    "template": "const password = `{}`;",
    "JSON in a literal": 'x = "{{\\"password\\": \\"{}\\"}}"',
    "block": "password: |\n  {}\nuser: me",
    "folded": "client_secret: >-\n    {}\n",
    "asked for": "sshpass -p '{}' ssh host",
    "glued": "mysql -u root -p{} shop",
    "quoted URL": "postgres%3A%2F%2Fme%3A{}%40db%2Fshop",
    "query": "https://example.com/x?api_key={}&y=1",
    "registry": "_auth={}",
}


_LONGER = ("bearer", "registry")  # what is shorter is no login


@pytest.mark.parametrize("value", ["hunter2", "s3cr3t-Pa55w0rd!"])
@pytest.mark.parametrize("place", NAMED)
def test_what_its_name_promises_is_replaced(place: str, value: str) -> None:
    value = value if place not in _LONGER else f"{value.replace('-', '').rstrip('!')}longer"
    text = NAMED[place].format(value)
    cleaned, found = redacted(text)
    assert value not in cleaned
    assert found == 1
    assert cleaned.replace(SECRET, value) == text  # all else is as it was


@pytest.mark.parametrize(
    "place",
    [
        "Server=db;User Id=me;Password={};Encrypt=true",
        "Server=db;Uid=me;Pwd={}",
        "jdbc:mysql://db/shop?user=me&password={}&useSSL=true",
        "CREATE USER me IDENTIFIED BY '{}';",
        'requests.get(url, auth=("me", "{}"))',
        'client.auth = HTTPBasicAuth("me", "{}")',
        'client.login("me", "{}")',
        'static PASSWORD: &\'static str = "{}";',
        'public string Password {{ get; set; }} = "{}";',
        'password <- "{}"',
    ],
)
@pytest.mark.parametrize("value", ["hunter2", "sunshine"])
def test_a_place_for_passwords_needs_no_digits_in_them(place: str, value: str) -> None:
    text = place.format(value)
    assert redacted(text) == (place.format(SECRET), 1)


@pytest.mark.parametrize("glue", [" + ", " +\n  ", "\n    "])
def test_all_pieces_of_a_literal_are_replaced(glue: str) -> None:
    text = f'password = ("hunter2-"{glue}"sun5hine"{glue}"-for-all")\nuser = "me"'
    cleaned, _ = redacted(text)
    assert not [piece for piece in ("hunter2", "sun5hine", "for-all") if piece in cleaned]
    assert 'user = "me"' in cleaned


_KEY_FILE = json.dumps(
    {
        "type": "service_account",
        "private_key": "-----BEGIN PRIVATE KEY-----\nMIIE" + RANDOM + "\n-----END PRIVATE KEY-----",
    }
)


@pytest.mark.parametrize(
    "place", ['KEY_FILE = "{}"', "GOOGLE={}", "data:\n  key.json: {}", "- {}", "# {}"]
)
@pytest.mark.parametrize("width", [0, 76])
def test_a_key_file_in_base64_is_replaced(place: str, width: int) -> None:
    encoded = base64.b64encode(_KEY_FILE.encode()).decode()
    lines = textwrap.wrap(encoded, width) if width else [encoded]
    cleaned, _ = redacted(place.format("\n    ".join(lines)))
    assert not [line for line in lines if line[:20] in cleaned]


def test_base64_of_what_is_no_secret_stays() -> None:
    text = base64.b64encode(b'{"version": 3, "sources": ["a.ts", "b.ts"], "names": []}').decode()
    assert redacted(f"map: {text}") == (f"map: {text}", 0)


def test_lines_of_a_putty_key_are_replaced() -> None:
    text = "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\nAAAAgQC\nabcdef==\nPrivate-MAC: 00"
    assert "AAAAgQC" not in redacted(text)[0]
    assert "Private-MAC: 00" in redacted(text)[0]


def test_private_keys_go_as_a_whole_and_lines_stay_where_they_were() -> None:
    kinds = ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
    for kind in kinds:
        text = f"a\n-----BEGIN {kind}-----\nMIIE\nabcd\n-----END {kind}-----\nz"
        assert redacted(text) == ("a\n" + "\n".join([SECRET] * 4) + "\nz", 1)
    cut = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nnever ends"
    assert "MIIE" not in redacted(cut)[0]


@pytest.mark.parametrize(
    "text",
    [
        "token = get_token()",
        "if token or 'list' in names:",
        'variable "password" {\n  default = ""\n}',
        "password: |\n  what a user types\n",
        "connect(password=password)",
        'password = os.environ["DB_PASSWORD"]',
        'token = os.getenv("API_TOKEN")',
        'token_type = "bearer"',
        'key = "${API_KEY}"',
        'secret = "<your secret>"',
        'password = "changeme"',
        "if token == 'IDENT':",
        'names = ["Token", "Keyword", "Secret"]',
        "self.token: Token = token",
        "def test_password(): ...",
        'label("Password")',
        "raise ValueError('the password is too short')",
        "sha = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
        "// see https://example.com/docs/tokens/how-to-get-one",
        "id = '123e4567-e89b-12d3-a456-426614174000'",
        'TOKEN_URL = "https://auth.example.com/oauth/token"',
        'token_path = "/oauth/token"',
        'TOKENS = "gen_ai.server.time_to_first_token"',
        "self._auth = AsyncX509WorkloadIdentityAuth(client)",
        "self._auth = oauth2workload.Identity(client)",
        "Server=db;Password={0};Encrypt=true",
        'requests.get(url, auth=("me", password))',
        'if user.login("me"): pass',
        "x = 1;password=PASSWORD;y = 2",
        'css = "sk-toggleable__content-arrow"',
        'index = "pypi-internal-mirror-repository"',
        "f(sig=signature_of_the_wrapped_function)",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == (text, 0)


CLASSES = [
    "V1alpha3PodGroupResourceClaimStatus",
    "V1beta1MutatingAdmissionPolicyBindingSpec",
    "V1PodFailurePolicyOnExitCodesRequirement",
    "QDQDisableWeightAdjustForInt32Bias",
    "NFCISO15693CustomCommandConfiguration",
    "NEVPNIKEv2SecurityAssociationParameters",
    "MPSGraphDepthwiseConvolution2DOpDescriptor",
    "OAuth2PasswordRequestFormStrictDependency",
    "Iso8601DateTimeWithTimeZoneDeserializer",
    "createBase64UrlEncodedSha256CodeChallenge",
    "AbstractHttp2ConnectionPoolFactoryBean",
    "Utf8ToUtf16LittleEndianStreamConverter",
    "test_parses_Iso8601_dates_of_customers",
    "shop_v2/controllers/OrderControllerTest2",
    "com/example/Http2ServerConnectionFactory",
]


@pytest.mark.parametrize("name", CLASSES)
def test_a_long_name_made_of_words_is_no_secret(name: str) -> None:
    text = f'__all__ = ["{name}"]'
    assert redacted(text) == (text, 0)


_OF_KEYS = {
    "letters and digits": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64 of URLs": string.ascii_letters + string.digits + "_-",
}


@pytest.mark.parametrize("alphabet", _OF_KEYS.values(), ids=_OF_KEYS)
@pytest.mark.parametrize("length", [32, 40, 64])
def test_a_random_key_is_no_name(alphabet: str, length: int) -> None:
    dice = random.Random(length)
    keys = ["aB3" + "".join(dice.choices(alphabet, k=length)) for _ in range(2_000)]
    kept = [key for key in keys if redacted(f'x = "{key}"') == (f'x = "{key}"', 0)]
    assert not [key for key in kept if len(set(key)) > 24]  # what repeats itself is not random


@pytest.mark.parametrize(
    "key",
    [
        "TheShopOf" + RANDOM[:32],  # words before what is random
        RANDOM[:20] + "CartController" + RANDOM[20:],
        "sk-" + "the-shop-" + RANDOM[:30],
    ],
)
def test_words_in_a_key_make_no_name_of_it(key: str) -> None:
    assert RANDOM[:20] not in redacted(f'x = "{key}"')[0]


@given(st.text(max_size=300))
def test_lines_are_kept_and_a_second_time_changes_nothing(text: str) -> None:
    cleaned, _ = redacted(text)
    assert cleaned.count("\n") == text.count("\n")
    assert redacted(cleaned)[0] == cleaned


def test_a_letter_that_is_two_in_lower_case_moves_no_place() -> None:
    text = "İİİ = 1\nPASSWORD = 'hunter22hunter'\n"
    assert redacted(text) == ("İİİ = 1\nPASSWORD = '[secret]'\n", 1)
