"""Words that occur in lists, in many languages: headers, payment, divisions, clubs, titles.

They are stored in small letters without accents (`fold_text`).
"""

import re
from enum import StrEnum
from typing import Final

from names.folding import fold_text


class ColumnRole(StrEnum):
    """What a column of a list holds.

    ``OTHER``: text that becomes a note, with the column's header; ``SKIP``: ignored.
    """

    NAME = "name"
    FIRST = "first"
    LAST = "last"
    PARTNER = "partner"
    COUNTRY = "country"
    RATING = "rating"
    CLUB = "club"
    DIVISION = "division"
    EMAIL = "email"
    PHONE = "phone"
    PAID = "paid"
    NOTE = "note"
    PHOTO = "photo"
    FILMING = "filming"
    ANALYSIS = "analysis"
    STREAMING = "streaming"
    RECORD = "record"
    MINOR = "minor"
    CUSTOM = "own"  # a custom field of this name
    VALID_UNTIL = "until"  # the last day on which a number is valid
    OTHER = "other"
    SKIP = "skip"


def _word_set(text: str) -> frozenset[str]:
    return frozenset(fold_text(word) for word in text.replace("\n", "|").split("|") if fold_text(word))


# The order decides for headers with words of several roles: "Club name" is a club, "Phone number" a phone.
HEADERS: Final[tuple[tuple[ColumnRole, frozenset[str]], ...]] = (
    (ColumnRole.PHOTO, _word_set("photographs|photograph|photos|photo|fotos|foto|bilder|valokuvat")),
    (
        ColumnRole.ANALYSIS,
        _word_set("analysis|analyses|analyses in public|analyse|analysen|analysen öffentlich"),
    ),
    (ColumnRole.FILMING, _word_set("filming|filmed|film|video|filmaufnahmen|filmen|kuvaus")),
    (ColumnRole.STREAMING, _word_set("streaming|streamed|stream|livestream|ubertragung|übertragung")),
    (
        ColumnRole.RECORD,
        _word_set(
            "games in public|match file|match files|partien öffentlich|partien offentlich|matchdatei|matchdateien"
        ),
    ),
    (
        ColumnRole.MINOR,
        _word_set("minor|minors|under 18|u18|minderjährig|minderjahrig|mineur|menor|alaikäinen|alaikainen"),
    ),
    (
        ColumnRole.EMAIL,
        _word_set(
            "email|mail|courriel|correo|epost|sahkoposti|netfang|eposta|mejl|sposti|почта|メール|البريد"
        ),
    ),
    (
        ColumnRole.PHONE,
        _word_set(
            "phone|telephone|contact no|contact number|contacto|kontakt|kontaktnummer|ტელეფონი|cep tel|mobile|cell|tel|telefon|handy|tlf|telefonnummer|telefono|movil|celular|telefone|telemovel|puhelin|puh|simi|telefoon|gsm|cep|natel"
            "|komorka|telefonu|τηλεφωνο|телефон|電話|whatsapp|الهاتف|tfn|mobil|mobilnummer|mobiltelefon|portable"
        ),
    ),
    (
        ColumnRole.PAID,
        _word_set(
            "paid|inscription|inscripcion|pay|payment|kotizacija|nevezesi dij|nevezes|fizetes|inscricao|uplata|uplaceno|vippset|vipps|swish|გადახდა|deposit|zaplata|status platby|financial status|payment status|paid status|subs paid|fee|entry fee|reg fee|vklad|reglement|bezahlung|beitrag|zahlung|gebuhr|nenngeld|prispevok|kotizace|kotisation|cotisation|droits|katilim ucreti|tassa|versamento|iscrizione pagata|bezahlt|bez|startgeld|gezahlt|betalt|betaling|kontingent|paye|payee|regle|inscription payee|pagado|pago|pagamento|pagato|quota|"
            "zaplacone|zaplacono|oplacone|oplata|wpisowe|wpis|odedi|odendi|odeme|ucret|greitt|maksettu|maksu|betaald|inschrijfgeld|zaplaceno|startovne|fizetve|fizetett|platit|taxa|πληρωμη|"
            "πληρωσε|оплачено|взнос|оплата|支払|支払い|参加費|الدفع|avgift|startavgift|buy in|buyin|cash|pd|pagou"
        ),
    ),
    (
        ColumnRole.RATING,
        _word_set(
            "rating|rtg|elo|dwz|ranking|classement|classificacao|clasificacion|puntuacion|fibs|wertung|wertungszahl|puan|stig|r|rejting|sterkte|ert|rtng|forca|рејтинг|რეიტინგი|ntrp|skill|puanı|ratings|рейтинг|レーティング|punkter|βαθμολογια|تصنيف|nwz|fide|fide elo|wbgf|usbgf|ertekszam|poang|poeng|national rating|int rating|grading|grade|strength|forza|fuerza|styrka|styrke|spielstarke|voima|sila"
        ),
    ),
    (
        ColumnRole.DIVISION,
        _word_set(
            "division|div|escalao|クラス|部門|კატეგორია|skill level|playing level|spielklasse|leistungsklasse|grupp|serie|liga|pool|poule|tableau|skupina|csoport|klassi|nivå|nivell|nível|livello|nivel de juego|stufe|kurs|category|cat|categ|kat|class|klasse|kategorie|kategori|kategoria|kategorija|categorie|categoria|divisie|divisjon|divisioona|level|niveau|nivel|section|flight|group|gruppe|grupo|groupe|gruppo|turnier|field|tournament|event|sarja|raekke|rekke|puljekl|"
            "flokkur|seviye|luokka|klass|poziom|дивизион|категория|κατηγορια|部門|الفئة"
        ),
    ),
    (
        ColumnRole.COUNTRY,
        _word_set(
            "country|nation|ქვეყანა|zemlja|orszag|nacionalnost|nacija|nationality|nat|ctry|cntry|land|staat|nationalitat|nationalitaet|nationalite|pays|pais|paese|nazione|nazionalita|nacionalidad|nacionalidade|kraj|narodowosc|panstwo|zeme|ulke|uyruk|maa|"
            "kansallisuus|nasjonalitet|nasjon|nationalitet|federation|fed|flag|χωρα|страна|国|国籍|البلد|الدولة|orszag|tara|drzava|stat|lnd|landet|noc|ioc"
        ),
    ),
    (
        ColumnRole.CLUB,
        _word_set(
            "club|klub|clubname|klubnavn|vereinsname|egyesulet|კლუბი|club city|club stad|klub miasto|klubb|verein|vereine|clube|circolo|kulubu|kulup|kulup adi|seura|felag|vereniging|team club|association|asociacion|societe|kerho|συλλογος|клуб|所属|クラブ|نادي|النادي|klubben|klubber|heimaverein|oddil|egyesulet"
        ),
    ),
    (
        ColumnRole.FIRST,
        _word_set(
            "first|given|სახელი|forename|forenames|firstname|vorname|vornamen|rufname|fornavn|fornamn|prenom|nombre de pila|primeiro|imie|imiona|ad|isim on|etunimi|kutsumanimi|voornaam|jmeno|krstni|keresztnev|prenume|ονομα μικρο|имя|名|eiginnafn|givenname|fname"
        ),
    ),
    (
        ColumnRole.LAST,
        _word_set(
            "last|surname|გვარი|family|lastname|nachname|familienname|zuname|etternavn|efternavn|efternamn|nom de famille|apellido|apellidos|apelido|sobrenome|cognome|nazwisko|soyad|soyadi|soyisim|sukunimi|achternaam|"
            "prijmeni|priezvisko|priimek|prezime|vezeteknev|επωνυμο|фамилия|姓|eftirnafn|familyname|lname"
        ),
    ),
    (
        ColumnRole.PARTNER,
        _word_set(
            "partner|player 2|player 3|spieler 2|spieler 3|jugador 2|joueur 2|spiller 2|zawodnik 2|partenaire|pareja|makker|partnerin|mitspieler|2nd player|second player|oyuncu 2|giocatore 2|pelaaja 2"
        ),
    ),
    (
        ColumnRole.NAME,
        _word_set(
            "name|paar|pair|pareja|coppia|binome|dupla|doppel|names|player|players|participant|participants|full name|spieler|spielerin|teilnehmer|teilnehmerin|navn|namn|nom|joueur|joueuse|nombre|jugador|nome|jogador|giocatore|zawodnik|gracz|uczestnik|isim|oyuncu|katilimci|nimi|"
            "pelaaja|nafn|leikmadur|keppandi|naam|speler|hrac|jatekos|nev|nume|jucator|ονομα|ονοματεπωνυμο|παικτης|имя и фамилия|игрок|участник|фио|氏名|名前|選手|الاسم|اسم|deltager|deltaker|deltagare|spiller|spelare|adi|competitor|entrant|teilnehmende|"
            "display name|username|fullname|vor und nachname|ime|igrac|ime in priimek|inscrito|inscrit|iscritto|entry|name vorname"
        ),
    ),
    (
        ColumnRole.NOTE,
        _word_set(
            "note|huom|huomioita|huomiot|lisatiedot|ovrigt|ovrig info|sonstiges|notizen|info extra|wiadomosc|dodatkowe informacje|zprava|uzenet|mensaje|mensagem|messaggio|bericht|mesaj|nachricht|besked|beskjed|meddelande|notes|hinweis|hinweise|comment|comments|remark|remarks|bemerkung|bemerkungen|anmerkung|anmerkungen|kommentar|notiz|merknad|merknader|bemaerkning|bemaerkninger|anmarkning|remarque|remarques|commentaire|nota|notas|"
            "observaciones|observacoes|comentario|comentarios|uwagi|uwaga|komentarz|not|notlar|aciklama|athugasemd|athugasemdir|huomautus|huomautukset|opmerking|opmerkingen|poznamka|poznamky|megjegyzes|observatii|σχολια|σημειωσεις|"
            "примечание|комментарий|備考|ملاحظات|misc|info|other|message|annotazioni|osservazioni"
        ),
    ),
    (
        ColumnRole.SKIP,
        _word_set(
            "no|sija|jarjestys|sorsz|sorszam|tidsmerke|s no|sno|por|porc|por c|plats|r br|rbr|rb|red br|siranumarasi|sira numarasi|eiler|#|nº|n o|ord|orden|ordre|ordine|nr crt|sl no|sr no|submitted on|registered at|registered on|created|created at|date of registration|anmeldedatum|eingang|eingegangen|tilmeldt|registrert|data iscrizione|fecha|data|nr|num|number|nummer|numero|n|pos|position|place|lp|l p|sira|sira no|seed|snr|startnr|start no|#|id|timestamp|time stamp|zeitstempel|tidsstempel|tidsstampel|horodateur|marca temporal|carimbo de data hora|"
            "znacznik czasu|zaman damgasi|aikaleima|datum|date|dato|rang|rank|rank no|platz|index|nummer nr|row|line|lfd nr|lfd|lfdnr|αα|番号|رقم|submitted at|submission date|cislo|poradi"
        ),
    ),
)

PAID_WORDS: Final = _word_set(
    "paid|پرداخت شد|پرداخت شده|پرداخت کرد|ucret yatirildi|yatirildi|გადახდილი|支払い済|支払済み|振込済|gezahlt bar|платено|платил|платила|плаћено|платио|გადახდილია|uhrazeno|uhrazena|saldata|versato|virement recu|recu|bar gezahlt|pagati|pagamento ok|payment ok|payment received|received|pd|has paid|already paid|fully paid|paid in full|payed|bezahlt|gezahlt|hat bezahlt|schon bezahlt|bereits bezahlt|uberwiesen|ueberwiesen|betalt|har betalt|betald|betaald|paye|payee|regle|reglee|a paye|pagado|pagada|abonado|pago|paga|pagou|"
    "pagato|pagata|ha pagato|saldato|zaplacone|zaplacil|zaplacila|zaplacono|oplacone|oplacil|oplacila|odedi|odendi|ucret odendi|greitt|buin ad greida|hefur greitt|maksettu|maksanut|maksoi|zaplaceno|zaplatil|zaplatila|zaplatene|"
    "fizetve|fizetett|platit|achitat|placeno|platio|platila|placal|placala|placano|zaplatene|πληρωμενο|πληρωσε|πληρωθηκε|εξοφληθη|оплачено|оплатил|оплатила|сплачено|支払済|支払い済み|支払済み|入金済|済|مدفوع|دفع|שולם|"
    "cash|venmo|paypal|zelle|revolut|mobilepay|mobile pay|vipps|swish|twint|blik|bizum|iban|prepaid|fee paid|bar bezahlt|paid cash|paid online|paid paypal"
)
UNPAID_WORDS: Final = _word_set(
    "unpaid|a falta de pago|falta de pago|mangler at betale|ej betald|未支払|da saldare|a regler|bekliyor|bekleniyor|odeme bekliyor|neuhradeno|nije platila|nije plaćeno|не е платено|неплатено|неплаћено|არ არის გადახდილი|pending payment|payment pending|in sospeso|te betalen|à percevoir|not paid|not yet paid|not payed|hasnt paid|has not paid|owes|owing|due|fee due|to pay|will pay|pays at the door|pays at door|pay at door|pay later|pays later|outstanding|not yet|nicht bezahlt|noch nicht bezahlt|unbezahlt|offen|startgeld offen|"
    "zahlt|zahlt noch|zahlt spater|noch offen|fehlt|fehlt noch|mangler|manglar|saknas|missing|falta|manque|brakuje|puuttuu|eksik|pays|betaler|betalar|betaalt|paiera|placi|maksaa|odeyecek|ikke betalt|har ikke betalt|ej betalt|ikke betalt enda|inte betalt|inte betald|ej betald|obetald|ubetalt|niet betaald|nog niet betaald|non paye|non payee|pas paye|pas payee|pas encore paye|a payer|no pagado|no pagada|"
    "sin pagar|pendiente|falta pagar|debe|nao pago|nao paga|nao pagou|por pagar|a pagar|pendente|non pagato|non pagata|da pagare|nie zaplacone|nie zaplacil|nie zaplacila|niezaplacone|nieoplacone|nie oplacone|do zaplaty|odemedi|odenmedi|odeyecek|"
    "ogreitt|ekki greitt|a eftir ad greida|ei maksettu|ei ole maksanut|maksamatta|nezaplaceno|nezaplatil|nezaplatila|nincs fizetve|neplatit|nije placeno|δεν πληρωσε|απληρωτο|απληρωτος|не оплачено|не оплатил|не оплатила|未払い|未払|未入金|غير مدفوع|לא שולם"
)
# Headers of one word.
HEADER_WORDS: Final = frozenset(
    word for _, headers in HEADERS for word in headers if " " not in word and len(word) > 1
)

# Payment methods; together with a future place ("cash at the door") they mean unpaid.
PAYMENT_METHODS: Final = _word_set(
    "bar|barzahlung|cash|espece|especes|contanti|efectivo|gotowka|nakit|kontant|kontanter|hotove|contant|dinheiro|cb|carte|carte bancaire|virement|uberweisung|bonifico|transferencia|przelew|havale|bank transfer|transfer|card|"
    "credit card|debit card|cheque|check|carta|tarjeta|cartao|karta|kart|kreditkarte|ec|prevod|overboeking|overforing|overforsel|cheque bancaire|satispay|tikkie|payconiq|lydia|postepay|pix|mbway|bancontact"
)
PAYMENT_WORDS: Final = PAYMENT_METHODS | _word_set(
    "paiement|paga|paie|paye|pays|pay|betaler|betalar|betaalt|zahlt|zahlung|bezahlung|reglement|pagamento|pago|placi|platba|odeme|maksaa|pagara|pagare"
)
ON_SITE_WORDS: Final = _word_set(
    "vor ort|am tag|an der kasse|abendkasse|in loco|sul posto|al torneo|sur place|at the door|at door|on the day|on arrival|on site|pa stedet|ved doren|ved dora|i doren|pa plats|i dorren|na miejscu|na miste|ter plaatse|aan de deur|"
    "en el sitio|alli|en la puerta|en persona|no local|na hora|kapida|yerinde|paikan paalla|a staednum|vid dyrnar|επι τοπου|на месте|на място|当日|現地"
)
# Values in cells of consents and marks.
REPLY_YES_WORDS: Final = _word_set("yes|y|ja|j|oui|si|sim|tak|ano|kylla|ok|x|true|1") | {
    "✓",
    "✔",
    "✔️",
    "✅",
    "☑",
}
REPLY_NO_WORDS: Final = _word_set("no|n|nein|non|nao|nie|ne|ei|nej|nee|false|0") | {"✗", "✘", "❌", "-", "–"}
REPLY_ASK_WORDS: Final = _word_set(
    "ask|ask me|ask me each time|ask each time|fragen|bitte fragen|jedes mal fragen"
) | {"?"}

# Stems of "paid" in any person, gender and number: "bezahlt", "pagados", "zapłaciłem".
PAID_STEM: Final = re.compile(
    r"(?:bezahl|uberwies|ueberwies|ubwies)(?:t|te|en)$|(?:be|for)?betal(?:t|te|d|de)$|pagad[oa]s?$|pagat[oaie]$|pagou$|pagaram$|abonad[oa]s?$|saldat[oaie]$|versat[oaie]$|(?:pay|regl)ee?s?$|acquitt?ee?s?$|"
    r"(?:za|o|w|u)plac(?:one|ony|ona|ono|il|ila|ilem|ilam|ili)$|(?:za)?plac(?:eno|en|ena|ene|io|ila|al|ala)$|uhrazen[oaey]?$|zaplaten[oae]?$|odendi$|odedim?$|odeme yapti$|yatir(?:di|ildi|dim)$|fizetett?|befizet|"
    r"πληρω(?:σε|θηκε|μενο|σα)$|(?:о|у|за|с)плачен[оаы]?$|(?:о|за|с)платил[аи]?$|платен[оа]?$|платио$|платила$|плаћен[оа]?$|maks(?:ettu|oi|anut)$|greid(?:di|du)$|greitt$"
)
# Status of an entry, before or after a name.
ENTRY_STATUS_WORDS: Final = _word_set(
    "confirmed|unconfirmed|pending|registered|withdrawn|withdrew|cancelled|canceled|waitlisted|accepted|approved|declined|attending|bestatigt|angemeldet|abgemeldet|abgesagt|afmeldt|tilmeldt|bekraeftet|pameldt|bekreftet|anmald|avanmald|"
    "inscrit|inscrite|confirme|confirmee|annule|annulee|confirmado|confirmada|cancelado|cancelada|confermato|confermata|iscritto|iscritta|ritirato|ritirata|potwierdzony|potwierdzona|zrezygnowal|onaylandi|onayli|iptal|bevestigd|afgemeld|"
    "potvrzeno|potvrzen|odhlasen|vahvistettu|peruttu|stadfest"
)
# Asides to a name if lowercase, in capitals or with a mark: "also", "NEW!", "TBC:".
ASIDE_WORDS: Final = _word_set(
    "new|late|tbc|tba|tbd|maybe|also|again|guest|neu|spat|vielleicht|evtl|nochmal|auch|nouveau|nouvelle|nuevo|nueva|nuovo|nuova|ny|yeni|nowy|nowa|novy|nova|novo|uusi|nieuw|wd|dns|wl|aussi|tambien|anche|ogsa|ook|misschien|maske|kanske|kanskje|"
    "peut etre|quizas|forse|belki|moze|mozna|ehka|talvez|duplicate|doppelt|reserve|ersatz|sub|plus"
)
# Negations before "paid".
NEGATION_WORDS: Final = frozenset(
    "not nicht ikke ikkje inte ej ei non pas no nao niet nie ne ni nije nem nu degil ekki oxi δεν не".split()
)
# Words beside "paid" for what was paid.
FEE_WORDS: Final = _word_set(
    "hab|habe|ich|have|ive|i|har|jeg|jag|at|zu|betale|betala|betalen|bezahlen|zahlen|payer|pagare|pagar|startgeld|fee|fees|entry|entry fee|fee is|kontingent|avgift|startavgift|inscription|inscripcion|inscricao|iscrizione|quota|wpisowe|ucret|ucreti|geld|payment|de pago|pago|pagamento|the|is|has|buy in|buyin|startovne|taxa|osallistumismaksu|"
    "gjald|inschrijfgeld|de|le|la|el|das|hat|schon|bereits|already|der|o"
)
YES_WORDS: Final = PAID_WORDS | _word_set(
    "yes|კი|y|ja|j|oui|o|si|s|sim|tak|t|evet|e|ja ja|kylla|k|igen|ano|da|ναι|да|так|はい|نعم|כן|x|xx|ok|okay|true|1|wahr|vrai|verdadero|prawda|done|v|confirmed|erledigt|full|joo"
)
NO_WORDS: Final = UNPAID_WORDS | _word_set(
    "no|არა|未|nincs|n|nein|nei|nej|non|nee|nao|nie|hayir|h|ei|ne|nem|nu|οχι|нет|ні|いいえ|لا|לא|noch nicht|ikke enda|ikke enna|inte an|pas encore|aun no|todavia no|ainda nao|jeszcze nie|henuz degil|nog niet|ei viela|jeste ne|0|false|falsch|faux|falso|open|pending|later|not yet|apres|spater|senere"
)
UNRATED_WORDS: Final = _word_set(
    "unrated|unr|ur|unranked|no rating|ohne|ohne rating|ohne elo|no elo|sin elo|sans classement|urangert|uratet|puansiz|bez rankingu|nr|n a|na|none|null|keine|ingen|new|neu"
)

_DIVISION_WORDS: Final = _word_set(
    "champ|champs|inter|int|adv|beg|nov|debutante|debutantes|iniciados|iniciadas|principiantes|オープン|ビギナー|マスター|アドバンス|初級|中級|上級|一般|მასტერი|mestre|mestres|elites|zacatecnici|pokrocili|hobby|amatori|amatorzy|fun|open|championship|championships|champions|masters|master|super jackpot|jackpot|intermediate|intermediates|advanced|beginner|beginners|novice|novices|limited|main|amateur|amateurs|expert|experts|elite|rookie|rookies|"
    "anfanger|anfangerin|einsteiger|fortgeschrittene|fortgeschrittener|meisterklasse|hauptturnier|apen|apen klasse|ovet|ovede|ovrige|nybegynner|nybegynnere|nybegynder|begynder|begyndere|nyborjare|mellem|mesterraekken|mester|"
    "debutant|debutants|avance|avances|intermediaire|intermediaires|expertes|principiante|principiantes|intermedio|intermedios|avanzado|avanzados|iniciante|iniciantes|iniciado|avancado|avancados|"
    "poczatkujacy|zaawansowani|zaawansowany|sredniozaawansowani|otwarta|baslangic|baslangicseviyesi|orta|ileri|usta|principianti|avanzati|intermedi|aloittelijat|avoin|mestarit|beginners main|byrjendur|opinn|opinn flokkur|"
    "speedgammon|speed|doubles|consolation|second chance|seniors|juniors|ladies|women|damen|junioren|senioren|damer|junior|senior|sub limited|premier|premiers|first division|second division"
)
_GROUP_WORDS: Final = _word_set(
    "division|group|gruppe|gruppa|grupo|groupe|grupa|grup|klasse|class|klasa|section|flight|event|turnier|liga|level|niveau|pool|poule|flokkur|sarja|divisjon|category|kategorie|kategori|raekke|bracket|field|divisie|division no|puljen|pulje|tournament"
)
_GROUP_LABELS: Final = frozenset(
    "a b c d e f 1 2 3 4 5 6 i ii iii iv i one two three 1st 2nd 3rd erste zweite".split()
)


def is_division(text: str) -> bool:
    """Return whether the text names a division: ``Open``, ``Open Division``, ``Group B``, ``A-Klasse``."""
    words = fold_text(text).split()
    if not words or len(words) > 4:
        return False
    if " ".join(words) in _DIVISION_WORDS:
        return True
    groups = [word for word in words if word in _GROUP_WORDS]
    rest = [word for word in words if word not in _GROUP_WORDS]
    if not rest:
        return False
    is_named = " ".join(rest) in _DIVISION_WORDS
    return (bool(groups) and (is_named or all(word in _GROUP_LABELS for word in rest))) or (
        len(rest) == 2 and rest[0] in _DIVISION_WORDS and rest[1] in _GROUP_LABELS
    )


# Divisions that are no surnames: they may directly follow a name.
LOOSE_DIVISIONS: Final = _word_set(
    "open|intermediate|advanced|beginner|beginners|novice|limited|anfanger|fortgeschrittene|nybegynner|nybegynder|apen|debutant|principiante|intermedio|avanzado|iniciante|poczatkujacy"
)

CLUB_WORDS: Final = _word_set(
    "bc|bg|bk|bgf|bgs|bgcl|bbk|bbc|bgkk|bgkl|dice|bgk|bgc|bgv|sc|sk|ks|ev|club|clubs|klub|klubb|klubben|klubs|verein|clube|circolo|kulubu|kulup|seura|felag|felagid|felagid bg|vereniging|backgammon|backgammonclub|backgammonklub|backgammonklubb|backgammonforening|tavla|tavli|tryktrak|"
    "gammon|society|association|asociacion|associacao|associazione|academy|university|college|spielverein|spieleclub|spielclub|gesellschaft|forening|foreningen|forbund|league|lounge|cafe|pub|kerho|kerhoy|dernegi|spor|συλλογος|клуб|クラブ|نادي|ηλυσιον|bar"
)

TITLES: Final = _word_set(
    "dra|profa|avv|arch|rag|geom|cav|on|prof ssa|lic|dna|d na|dkfm|dipl kfm|kand|cand|stud|sig ra|sig na|dott ssa|sr a|dr|prof|dipl ing|dipl|mr|mrs|ms|miss|mx|sir|dame|herr|frau|hr|fr|mme|mlle|monsieur|madame|mademoiselle|senor|senora|sra|srta|sr|dona|don|dott|dottssa|sig|signor|signora|ing|mag|rev|lord|lady|bay|bayan|sayin|pan|pani|mgr|mudr|judr|phdr|"
    "gm|im|fm|cm|dr med|dr phil|prof dr|κος|κα|г н|г жа|fru|froken|dhr|mevr|mw|eng|engr|capt|captain|doctor|doktor|professor|doc|med|rer nat|h c|habil"
)
SUFFIXES: Final = frozenset(
    {
        "jr",
        "sr",
        "jun",
        "sen",
        "ii",
        "iii",
        "iv",
        "junior",
        "senior",
        "jnr",
        "snr",
        "filho",
        "neto",
        "fils",
        "pere",
        "d a",
        "d j",
        "yngri",
        "eldri",
        "mladsi",
        "starsi",
        "stariji",
        "mladi",
        "yngre",
        "eldre",
        "st",
        "ml",
    }
)
# Lowercase before surnames. Those in the middle belong together: "van den Berg".
PARTICLES: Final = frozenset(
    "van von vom zu zum zur der den de del della dela da do dos das du di le la las los lo li ter ten te tot op in het 't af av til y e i et und bin ibn ben bint al el abu ap ab of auf dem".split()
)
LOWERCASE_WORDS: Final = frozenset(
    "van von vom zu zum zur der den de del da do dos das du ter ten te tot op af av til y e het bin ibn bint".split()
)

# Lines of lists that are not people: greetings, totals, titles.
SIGN_OFFS: Final = frozenset(
    "vh mvh hilsen lg vg mfg vlg glg cdlt gr br rgds groetjes groeten groet hilsner halsningar terv terveisin pozdr pozdrawiam pozdrav abrazo abracos saludos saluti ciao cheers regards sevgiler".split()
)
GREETINGS: Final = _word_set(
    "un abrazo|un saludo a todos|abrazos|groetjes|liebe gruesse|viele gruesse|sevgiler|"
    "viele grusse|liebe grusse|schone grusse|beste grusse|herzliche grusse|mit freundlichen grussen|grusse|gruss|lg|mfg|vg|danke|vielen dank|best regards|kind regards|regards|best wishes|best|thanks|thank you|many thanks|cheers|see you|see you there|hilsen|med venlig hilsen|"
    "med vennlig hilsen|mvh|vh|hej|hei|hi|hi all|hi everyone|hello|hello all|hallo|hallo zusammen|servus|moin|hola|ola|bonjour|salut|ciao|czesc|merhaba|selam|halló|cordialement|bien cordialement|a bientot|saludos|un saludo|gracias|merci|abracos|obrigado|obrigada|grazie|saluti|"
    "cordiali saluti|pozdrawiam|dziekuje|pozdrawiam serdecznie|saygilar|saygilarimla|tesekkurler|kvedja|takk|tak|tack|terveisin|kiitos|groeten|met vriendelijke groet|s pozdravem|udvozlettel|χαιρετισμους|ευχαριστω|с уважением|спасибо|よろしくお願いします|شكرا|"
    "sent from my iphone|von meinem iphone gesendet|going|not going|coming|not coming|attending|interested|maybe|tbd|tba|n n|nn|bye|freilos|empty|frei|vacant|open spot|to be confirmed|free|leer|exempt"
)
TITLE_WORDS: Final = _word_set(
    "tournament|turnier|freitagsturnier|turnering|turneringen|tournoi|torneo|torneio|turniej|turnuva|turnuvasi|turnaus|mot|toernooi|turnaj|verseny|turneu|turnir|турнир|τουρνουα|大会|بطولة|players|player|entries|entry|participants|participant|teilnehmer|teilnehmerliste|anmeldungen|angemeldet|"
    "deltagere|deltakere|deltagare|spillere|spelare|inscritos|inscriptos|inscrits|iscritti|participantes|participantes|jogadores|jugadores|joueurs|keppendur|skradir|zawodnicy|uczestnicy|lista|katilimcilar|oyuncular|osallistujat|ilmoittautuneet|spelers|deelnemers|hraci|startliste|startlist|"
    "startlista|tilmeldte|pameldte|anmalda|total|totals|sum|summe|gesamt|anzahl|totalt|i alt|razem|toplam|yhteensa|celkem|totaal|insgesamt|confirmed|registered|sign up|signup|signed|registration|anmeldung|meisterschaft|einzelmeisterschaft|mesterskab|mesterskap|campeonato|championnat|"
    "mistrzostwa|sampiyonasi|campionato|round|runde|bank|iban|deadline|updated|stand|entry fee|startgeld|dabei|kommen|kommt|absagen|zusagen|zusage|absage|venue|weekly|monthly|cup"
)
TOTAL_WORDS: Final = _word_set(
    "total|totals|sum|summe|summa|gesamt|anzahl|totalt|i alt|razem|toplam|yhteensa|celkem|totaal|insgesamt|totale|spolu|ukupno|osszesen|samtals|συνολο|итого|всего|общо|укупно|合計|계|المجموع|סהכ|grand total|subtotal|zusammen|ialt|count"
)
WAITING_LIST_WORDS: Final = _word_set(
    "waiting list|waitlist|wait list|reserve|reserves|reserve list|standby|stand by|warteliste|nachruecker|nachrucker|venteliste|vanteliste|liste d attente|lista de espera|lista rezerwowa|rezerwa|bekleme listesi|yedek|yedekler|bidlisti|varasijat|varalla|wachtlijst|reservelijst|nahradnici|"
    "lista d attesa|varolista|λιστα αναμονης|лист ожидания|キャンセル待ち|قائمة الانتظار"
)
US_STATES: Final = frozenset(
    "AK AZ CT FL HI IA KS MI NH NJ NM NV NY OH OK OR RI TX UT VT WA WI WV WY AL AR CO GA ID MA MD ME MN MO MS MT NC ND NE PA SC SD TN VA DC CA DE IL IN KY LA".split()
)
# States that are no country codes: if one appears, the list writes states.
UNAMBIGUOUS_US_STATES: Final = frozenset(
    "AK CT FL HI IA KS NH NJ NV NY OH OK OR RI TX UT VT WI WV WY".split()
)
# Countries that are also names of people: next to a name without a separator they are not read as countries.
COUNTRY_GIVEN_NAMES: Final = frozenset(
    "georgia jordan chad israel india kenya malta paris sydney salvador santiago cuba".split()
)
COUNTRY_SURNAMES: Final = frozenset("jordan israel chad mali peru".split())
